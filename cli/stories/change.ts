import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { changeMany, undoMany } from '#src/library/change-many'
import { manyChanges } from '#src/library/change-many-rules'
import type { ManyOutcome } from '#src/library/change-many-schema'
import { changeWords, outcomeWords } from '#src/library/change-many-words'
import { planMany } from '#src/library/plan-many'
import { filterFlags, readFilter } from './list'

export const change = defineCommand({
  meta: {
    name: 'change',
    description:
      'Publishes, unpublishes, removes or restores all items that match; shows the plan first. Examples: nocturne stories change publish --status draft --dry-run · nocturne stories change publish --status draft --category romantic --yes',
  },
  args: {
    change: { type: 'positional', ...choiceOf(manyChanges), required: true },
    ...filterFlags,
    'dry-run': { type: 'boolean', description: 'Only the plan', default: false },
    ...yesFlag,
    ...jsonFlag,
  },
  run: ({ args }) => {
    const change = choose('change', manyChanges, args.change)
    const wanted = { change, filter: readFilter(args) }
    return withServices(async ({ db }) => {
      const plan = await planMany(db, wanted)
      const question = `${changeWords[change].button}: ${outcomeWords(plan, change)}.`
      if (args['dry-run']) return print(args, plan, () => [question, ...linesOf(plan)])
      if (!args.yes && !(await confirm(`${question} Go on?`))) return
      const done = await changeMany(db, wanted, operatorName())
      print(args, done, () => [
        `${changeWords[change].done}: ${outcomeWords(done, change)}.`,
        ...(done.changeId ? [`Undo it: nocturne stories undo ${done.changeId}`] : []),
      ])
    })
  },
})

export const undo = defineCommand({
  meta: {
    name: 'undo',
    description:
      'Undoes a change of many items; what was changed since stays. Example: nocturne stories undo 019c…',
  },
  args: {
    id: { type: 'positional', description: 'The id that the change printed', required: true },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const done = await undoMany(db, args.id, operatorName())
      print(args, done, () => [`Restored: ${done.changed}.`])
    }),
})

function linesOf({ items }: ManyOutcome): string[] {
  return items.map(({ title, before, after }) => `${title}: ${before} → ${after}`)
}
