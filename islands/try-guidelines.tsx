import { type FormEvent, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { MarkedText } from '#src/guideline/marked-text'
import type { Tried } from '#src/guideline/schema'
import { SeverityBadge } from '#src/guideline/severity-badge'
import { categories, contentCharactersMax } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Notice, type NoticeKind } from '#src/ui/notice'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

const verdicts: Record<Tried['decision'], { kind: NoticeKind; words: string }> = {
  refused: { kind: 'bad', words: 'Refused. It cannot be saved like this.' },
  held: { kind: 'warn', words: 'Held for review. Saved, and seen by nobody until an operator approves it.' },
  warned: { kind: 'info', words: 'Let through, with a warning to the writer.' },
  passed: { kind: 'good', words: 'No rule has anything against it.' },
}

/** The box to try the rules in: what they would say of a text, and where. Nothing is kept. */
export default function TryGuidelines() {
  const [tried, setTried] = useState<(Tried & { text: string }) | null>(null)
  const [isBusy, setBusy] = useState(false)

  const tryText = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    // A form sends CRLF, offsets count what was typed.
    const text = String(form.get('text') ?? '').replace(/\r\n/g, '\n')
    const category = String(form.get('category') ?? '')
    setBusy(true)
    try {
      const body = { text, ...(category && { categories: [category] }) }
      const answer = await operatorCall(urls.apiGuidelinesTest(), { method: 'POST', body })
      setTried({ ...(answer as Tried), text })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      emit('nocturne:toast', { kind: 'bad', title: 'The text could not be tried', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="panel stack" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <form className="stack" onSubmit={tryText}>
        <TextArea label="Text to try" name="text" maxLength={contentCharactersMax} required />
        <Select
          label="As category"
          name="category"
          choices={[{ value: '', label: 'any' }, ...categories]}
          hint="A rule may hold in some categories only."
        />
        <Button type="submit" disabled={isBusy}>
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
      <Notice kind={kind}>{words}</Notice>
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
