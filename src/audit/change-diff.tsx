import { preview } from '#src/story/rules'
import { diffStates } from './diff-rules'

const shownCharactersMax = 120

/** Before and after, as a diff. */
export function ChangeDiff({ before, after }: { before: unknown; after: unknown }) {
  return diffStates(before, after).map((change) => (
    <div className="diff" key={change.field}>
      {change.field && <span>{change.field}</span>}
      {change.before !== null && <del>{preview(change.before, shownCharactersMax)}</del>}
      {change.after !== null && <ins>{preview(change.after, shownCharactersMax)}</ins>}
    </div>
  ))
}
