import * as t from 'typebox'
import { oneOf } from '#src/story/schema'
import type { Plan, PlannedRow } from './plan'

/** A row of a plan as operators read it. Browser-safe. */
export const PlanRow = t.Object({
  row: t.Integer({ description: 'Counted from 1.' }),
  verdict: oneOf(['new', 'change', 'same', 'held', 'problem', 'empty']),
  title: t.String(),
  categories: t.Array(t.String()),
  words: t.Integer(),
  what: t.String({ description: 'What happens, or what is wrong and the mend.', examples: ['Adds a story'] }),
})
export type PlanRow = t.Static<typeof PlanRow>

/** Every row of a plan with its verdict and what that means, in words. */
export function describePlan(plan: Plan): PlanRow[] {
  const problems = Map.groupBy(plan.problems, ({ row }) => row)
  return plan.rows.map((planned) => ({
    row: planned.row,
    verdict: verdictOf(planned),
    title: planned.title,
    categories: [...planned.item.categories],
    words: planned.item.content.match(/\S+/g)?.length ?? 0,
    what:
      problems
        .get(planned.row)
        ?.map(({ message }) => message)
        .join(' ') ?? whatHappens(planned),
  }))
}

function verdictOf({ verdict, admitted }: PlannedRow): PlanRow['verdict'] {
  if (verdict === 'create') return admitted.isHeld ? 'held' : 'new'
  return verdict === 'update' ? 'change' : verdict
}

const fieldNames: Record<string, string> = {
  content: 'the text',
  duration: 'the length',
  contentNotes: 'the content notes',
  narratorFemale: 'the narrator',
  narratorMale: 'the narrator',
  heldFrom: 'the status',
  isFree: 'the free mark',
  publishedAt: 'the time',
}

function whatHappens({ verdict, type, item, changes, audio, admitted }: PlannedRow): string {
  if (verdict === 'empty') return 'Left out: the row is empty'
  if (verdict === 'same') return 'Nothing: it is there already'
  if (verdict === 'create') return `Adds a ${type}${admitted.isHeld ? ', held for review' : appearance(item)}`
  const names = new Set(changes.map(({ field }) => fieldNames[field] ?? `the ${field}`))
  if (audio.some((each) => each.isNew)) names.add('the audio')
  return `Changes ${[...names].join(', ')}`
}

function appearance({ status, publishedAt }: PlannedRow['item']): string {
  if (status === 'draft') return ' as a draft'
  if (status !== 'scheduled' || !publishedAt) return ''
  return ` that appears ${publishedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
