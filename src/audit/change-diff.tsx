import { preview } from '#src/story/rules'
import { urls } from '#src/urls'
import { diffStates, type FieldChange } from './diff-rules'

const shownCharactersMax = 120

/** Before and after, as a diff. A job is a link to it: its id says nothing to a person. */
export function ChangeDiff({ before, after }: { before: unknown; after: unknown }) {
  return diffStates(before, after).map((change) =>
    change.field === 'jobId' ? (
      <JobLink key={change.field} change={change} />
    ) : (
      <div className="diff" key={change.field}>
        {change.field && <span>{change.field}</span>}
        {change.before !== null && <del>{preview(change.before, shownCharactersMax)}</del>}
        {change.after !== null && <ins>{preview(change.after, shownCharactersMax)}</ins>}
      </div>
    ),
  )
}

function JobLink({ change: { before, after } }: { change: FieldChange }) {
  return (
    <div className="diff">
      <span>job</span>
      <a href={urls.jobs({ job: after ?? before ?? undefined })}>queued to narrate it</a>
    </div>
  )
}
