import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { jobKinds, jobStates } from '#src/job/rules'
import { memberStates } from '#src/member/console/operator-schema'
import { reportStates } from '#src/moderation/rules'
import { changeRows, planRows } from '#src/selection/change-many'
import { changesOf, findChange, type SelectionKind, selections } from '#src/selection/rules'
import type { SelectionFilter } from '#src/selection/schema'
import { rowsWords } from '#src/selection/selection-words'
import { requireItemId } from '#src/story/find-item-id'

type Words = { description: string; valueHint?: string }

const filterFlags: Record<SelectionKind, Partial<Record<keyof SelectionFilter, Words>>> = {
  reports: { state: choiceOf(reportStates, 'pending, decided or all; by default pending') },
  members: { q: { description: 'The beginning of an email or a name' }, state: choiceOf(memberStates) },
  comments: { item: { description: 'Only about this item, by its slug or id' } },
  jobs: { state: choiceOf(jobStates), kind: choiceOf(jobKinds) },
}

/**
 * Defines the command that changes all matching rows of a kind, after it has shown the plan. `example` is an example
 * without `--dry-run` and `--yes`.
 */
export function changeCommand(kind: SelectionKind, example: string) {
  const changes = changesOf(kind)
  const names = Object.keys(filterFlags[kind])
  return defineCommand({
    meta: {
      name: 'change',
      description: `Changes all ${selections[kind].noun}s that match; shows the plan first. Examples: ${example} --dry-run · ${example} --yes`,
    },
    args: {
      change: { type: 'positional', ...choiceOf(changes), required: true },
      ...Object.fromEntries(
        Object.entries(filterFlags[kind]).map(([name, words]) => [
          name,
          { type: 'string' as const, ...words },
        ]),
      ),
      reason: { type: 'string', description: 'The reason that people are told, if the change takes one' },
      'dry-run': { type: 'boolean', description: 'Only the plan', default: false },
      ...yesFlag,
      ...jsonFlag,
    },
    run: ({ args }) => {
      const change = choose('change', changes, args.change)
      const given: Record<string, unknown> = args
      const named: SelectionFilter = Object.fromEntries(
        names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
      )
      const { button, done: doneWords } = findChange(kind, change) ?? { button: change, done: change }
      return withServices(async (services) => {
        const item = named.item === undefined ? {} : { item: await requireItemId(services.db, named.item) }
        const reason = args.reason === undefined ? {} : { reason: args.reason }
        const wanted = { kind, change, filter: { ...named, ...item }, ...reason }
        const plan = await planRows(services.db, wanted)
        const question = `${button}: ${rowsWords(plan, kind)}.`
        const lines = plan.items.map(({ title, before, after }) => `${title}: ${before} → ${after}`)
        if (args['dry-run']) return print(args, plan, () => [question, ...lines])
        if (!args.yes && !(await confirm(`${question} Go on?`))) return
        const done = await changeRows(services, wanted, operatorName())
        print(args, done, () => [
          `${doneWords}: ${rowsWords(done, kind)}.`,
          ...(done.changeId ? [`Undo it: nocturne audit undo ${done.changeId}`] : []),
        ])
      })
    },
  })
}
