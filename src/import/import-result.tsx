import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { ImportAnswer } from './import-answer'
import { problemSentence } from './place-words'

/** The outcome of an import that was sent as a plain form. */
export function ImportResult({ outcome }: { outcome: Omit<ImportAnswer, 'rows'> }) {
  const { batchId, message, problems, unmatchedAudio, warnings, notes } = outcome
  return (
    <section className="panel stack" aria-labelledby="imported">
      <h2 id="imported">{batchId ? 'Import finished' : 'Nothing was imported'}</h2>
      <p>{message}</p>
      <Sentences words="Not imported, with the reasons" of={problems.map(problemSentence)} />
      {unmatchedAudio.length > 0 && (
        <Notice kind="warn">No row is named like {unmatchedAudio.join(', ')}. It was not imported.</Notice>
      )}
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
