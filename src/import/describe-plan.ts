import { createTimeSlicer } from '#src/process/time-slice'
import { fieldWords } from '#src/story/fields'
import type { Plan, PlannedRow } from './plan'
import type { PlanRow } from './plan-schema'

/** Describes every row of a plan with its verdict and an explanation. Yields to other requests on the way. */
export async function describePlan(plan: Plan): Promise<PlanRow[]> {
  const pause = createTimeSlicer()
  const described: PlanRow[] = []
  for (const planned of plan.rows) {
    described.push({
      row: planned.row,
      ...(planned.sheet !== undefined && { sheet: planned.sheet }),
      verdict: verdictOf(planned),
      title: planned.title,
      categories: [...planned.item.categories],
      words: planned.item.content.match(/\S+/g)?.length ?? 0,
      what: whatHappens(planned),
    })
    await pause()
  }
  return described
}

function verdictOf({ verdict, admitted }: PlannedRow): PlanRow['verdict'] {
  if (verdict === 'create') return admitted.isHeld ? 'held' : 'new'
  return verdict === 'update' ? 'change' : verdict
}

function whatHappens({ verdict, type, item, changes, audio, admitted, problems }: PlannedRow): string {
  if (verdict === 'problem') return problems.map(({ message }) => message).join(' ')
  if (verdict === 'empty') return 'Left out: the row is empty'
  if (verdict === 'same') return 'Nothing: it is already there'
  if (verdict === 'create') return `Adds a ${type}${admitted.isHeld ? ', held for review' : appearance(item)}`
  const names = new Set(changes.map(({ field }) => fieldWords(field === 'heldFrom' ? 'status' : field)))
  if (audio.some((each) => each.isNew)) names.add('the audio')
  return `Changes ${[...names].join(', ')}`
}

function appearance({ status, publishedAt }: PlannedRow['item']): string {
  if (status === 'draft') return ' as a draft'
  if (status !== 'scheduled' || !publishedAt) return ''
  return ` that appears ${publishedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
