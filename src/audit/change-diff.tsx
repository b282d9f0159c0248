import { consoleUrls } from '#src/console-urls'
import { labelOf } from '#src/shape/invalid-field'
import { preview } from '#src/story/rules'
import { LocalTime } from '#src/ui/local-time'
import { diffStates, type FieldChange } from './diff-rules'

const shownCharactersMax = 120

/** The state before and after as a diff. A job is a link, since its id means nothing to a person. */
export function ChangeDiff({ before, after }: { before: unknown; after: unknown }) {
  return diffStates(before, after).map((change) =>
    change.field === 'jobId' ? (
      <JobLink key={change.field} change={change} />
    ) : (
      <div className="diff" key={change.field}>
        {change.field && <span>{labelOf(change.field)}</span>}
        {change.before !== null && (
          <del>
            <Value words={change.before} />
          </del>
        )}
        {change.after !== null && (
          <ins>
            <Value words={change.after} />
          </ins>
        )}
      </div>
    ),
  )
}

function Value({ words }: { words: string }) {
  return isInstant.test(words) ? <LocalTime at={words} /> : preview(words, shownCharactersMax)
}

/** The format of a Date in the log. */
const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function JobLink({ change: { before, after } }: { change: FieldChange }) {
  return (
    <div className="diff">
      <span>Job</span>
      <a href={consoleUrls.jobs({ job: after ?? before ?? undefined })}>queued to narrate it</a>
    </div>
  )
}
