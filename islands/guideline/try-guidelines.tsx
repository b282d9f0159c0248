import { type FormEvent, useState } from 'react'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { AppearingNotice } from '#islands/site/appearing-notice'
import { MarkedText } from '#src/guideline/marked-text'
import type { Tried } from '#src/guideline/schema'
import { SeverityBadge } from '#src/guideline/severity-badge'
import { categories, contentCharactersMax, knownCategories } from '#src/story/rules'
import { Button } from '#src/ui/button'
import type { NoticeKind } from '#src/ui/notice'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'

const verdicts: Record<Tried['decision'], { kind: NoticeKind; words: string }> = {
  refused: { kind: 'bad', words: 'Refused. It cannot be saved like this.' },
  held: { kind: 'warn', words: 'Held for review. Saved, and seen by nobody until an operator approves it.' },
  warned: { kind: 'info', words: 'Let through, with a warning to the writer.' },
  passed: { kind: 'good', words: 'No rule matches it.' },
}

/** Tries the rules on a text, and shows what they find and where. Nothing is stored. */
export default function TryGuidelines() {
  const [tried, setTried] = useState<(Tried & { text: string }) | null>(null)
  const { isBusy, submit } = useSubmit({
    title: 'The text could not be tried',
    otherwise: 'Please try again',
  })

  const tryText = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    // FormData has CRLF line ends; the offsets of findings count LF, as typed.
    const text = String(form.get('text') ?? '').replace(/\r\n/g, '\n')
    const chosen = knownCategories([String(form.get('category') ?? '')])
    void submit(async (signal) => {
      const body = { text, ...(chosen.length > 0 && { categories: chosen }) }
      const tried = await operatorApi('POST /api/content-guidelines/test', { body, signal })
      setTried({ ...tried, text })
    })
  }

  return (
    <section className="panel stack needs-script" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <form className="stack" onSubmit={tryText}>
        <TextArea label="Text to try" name="text" maxLength={contentCharactersMax} required />
        <Select
          label="As category"
          name="category"
          choices={[{ value: '', label: 'any' }, ...categories]}
          hint="A rule may apply in some categories only."
        />
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? 'Trying...' : 'Try the rules'}
        </Button>
      </form>
      {tried && <Result {...tried} />}
    </section>
  )
}

function Result({ decision, matches, text }: Tried & { text: string }) {
  const { kind, words } = verdicts[decision]
  return (
    <>
      <AppearingNotice kind={kind} words={words} />
      {matches.length > 0 && (
        <>
          <MarkedText text={text} marks={matches} />
          <ol className="reasons">
            {matches.map((match, index) => (
              <li className="reason" key={`${match.ruleId}-${match.start}-${match.keyword}`}>
                <b>{index + 1}</b>
                <div className="row-words">
                  <div className="btn-row badge-row">
                    <SeverityBadge severity={match.severity} />
                    <span className="label">{match.description || match.keyword}</span>
                  </div>
                  <p>
                    “{match.text}”,{' '}
                    {match.firstWord === match.lastWord
                      ? `word ${match.firstWord}`
                      : `words ${match.firstWord} to ${match.lastWord}`}
                    .{match.categories.length > 0 && ` The rule applies in ${match.categories.join(', ')}.`}
                    {!match.applies && ' Not in the category that was tried.'}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
