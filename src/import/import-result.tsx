import { pluralize } from '#src/text/pluralize'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { ImportAnswer } from './import-answer'
import { problemSentence } from './place-words'
import { problemsListedMax } from './rules'
import { unmatchedWords } from './wizard/draft-words'

/** The outcome of an import that was sent as a plain form. */
export function ImportResult({ outcome }: { outcome: ImportAnswer }) {
  const { batchId, message, problems, unmatchedAudio, warnings, notes, rows } = outcome
  const held = batchId ? rows.filter(({ isHeld }) => isHeld).length : 0
  return (
    <section className="panel stack" aria-labelledby="imported">
      <h2 id="imported">{batchId ? 'Import finished' : 'Nothing was imported'}</h2>
      <p>{message}</p>
      {held > 0 && (
        <p>
          {pluralize(held, 'row is', 'rows are')} held for review until an operator approves{' '}
          {held === 1 ? 'it' : 'them'}.
        </p>
      )}
      <Sentences words={problemWords(problems.length)} of={problems.map(problemSentence)} />
      {unmatchedAudio.length > 0 && <Notice kind="warn">{unmatchedWords(unmatchedAudio)}</Notice>}
      <Sentences words="What the guidelines let pass" of={warnings} />
      <Sentences words="About the file" of={notes} />
      {batchId && (
        <p>
          <a className="link" href={urls.premiumContent()}>
            See them in the library
          </a>
        </p>
      )}
    </section>
  )
}

/** Problems beyond the limit are not listed. The message counts rows, of which one may have several. */
function problemWords(listed: number): string {
  const first = listed < problemsListedMax ? '' : ` of the first ${problemsListedMax}`
  return `Not imported, with the reasons${first}`
}

function Sentences({ words, of }: { words: string; of: readonly string[] }) {
  if (of.length === 0) return null
  return (
    <>
      <h3>{words}</h3>
      <ul className="stack-sm">
        {of.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}
