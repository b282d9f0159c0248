import { defineCommand } from 'citty'
import { choose, chooseNumber } from '#cli/choose'
import { jsonFlag, print, printCount, printFile, printNote, table } from '#cli/output'
import { choiceOf, fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { AppError } from '#src/app-error'
import { exportChanges } from '#src/audit/export'
import {
  type ChangeFilter,
  countChanges,
  findChange,
  type ListedChange,
  listChangedItems,
  listChanges,
} from '#src/audit/list-changes'
import { actorName, auditActions, sentenceOf } from '#src/audit/rules'
import { undoChange } from '#src/selection/change-many'
import { cutPage, shownCount } from '#src/shape/list-page'
import { pluralize } from '#src/text/pluralize'

const filterFlags = {
  actor: { type: 'string', description: 'Only what this operator changed' },
  action: {
    type: 'string',
    ...choiceOf(auditActions, 'Only one action on one kind of subject, such as item.edit'),
  },
  item: { type: 'string', description: 'Only about this item: its id, or words of its title' },
  from: { type: 'string', description: 'The first day, in UTC, such as 2026-11-23' },
  to: { type: 'string', description: 'The last day, in UTC' },
} as const

const list = defineCommand({
  meta: {
    name: 'list',
    description:
      'Lists the newest changes: who did what, and when. Example: nocturne audit list --limit 20 --actor Ada',
  },
  args: {
    limit: { type: 'string', description: 'How many', default: '50' },
    cursor: { type: 'string', description: 'The id of the last change of the page before' },
    ...filterFlags,
    ...jsonFlag,
  },
  run: ({ args }) => {
    const filter = readFilter(args)
    const limit = chooseNumber('limit', args.limit, { min: 1, max: 1_000 })
    return withServices(async ({ db }) => {
      const rows = await listChanges(db, { ...filter, limit: limit + 1, before: args.cursor })
      const counted = await countChanges(db, filter)
      const { page: changes, nextCursor } = cutPage(rows, limit, ({ id }) => id)
      print(args, changes, () => table(changes.map((each) => [each.at.toISOString(), lineOf(each)])))
      printCount(changes.length, { ...shownCount(counted), nextCursor }, 'change')
    })
  },
})

const exportCsv = defineCommand({
  meta: {
    name: 'export',
    description:
      'Writes the log as CSV, a sentence for each change. Example: nocturne audit export --from 2026-11-01 --out november.csv',
  },
  args: { ...filterFlags, out: { type: 'string', ...fileNamed('A file, instead of standard output') } },
  run: ({ args }) => {
    const filter = readFilter(args)
    return withServices(async ({ db }) => {
      if (!args.out) {
        for await (const lines of exportChanges(db, filter)) await printFile(lines)
        return
      }
      const sink = Bun.file(args.out).writer()
      for await (const lines of exportChanges(db, filter)) {
        sink.write(lines)
        await sink.flush()
      }
      await sink.end()
      printNote(`The log is in ${args.out}.`)
    })
  },
})

const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Lists every item of one change, such as an import or its undo. Example: nocturne audit show 019c…',
  },
  args: {
    id: { type: 'positional', description: "The change's id", required: true },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const change = await findChange(db, args.id)
      if (!change) throw new AppError('not_found', 'There is no such change.')
      const items = await listChangedItems(db, change.id, { limit: change.items })
      print(args, { ...change, items }, () => [
        `${change.at.toISOString()}  ${lineOf(change)}`,
        ...table(items.map(({ id, title, verdict, fields }) => [id, verdict, title, fields.join(', ')])),
      ])
    }),
})

const undo = defineCommand({
  meta: {
    name: 'undo',
    description: 'Undoes a change of many; what was changed since stays. Example: nocturne audit undo 019c…',
  },
  args: {
    id: { type: 'positional', description: 'The id that the change printed', required: true },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async (services) => {
      const done = await undoChange(services, args.id, operatorName())
      print(args, done, () => [`Restored: ${done.changed}.`])
    }),
})

export default defineCommand({
  meta: { name: 'audit', description: 'The audit log: list, show, export, undo' },
  subCommands: { list, show, export: exportCsv, undo },
})

type FilterArgs = { actor?: string; action?: string; item?: string; from?: string; to?: string }

/** Reads the filter options. Throws `UsageError` for an unknown action. */
function readFilter({ actor, action, item, from, to }: FilterArgs): ChangeFilter {
  return { actor, item, from, to, ...(action && { action: choose('action', auditActions, action) }) }
}

/**
 * Formats a change: "Ada edited “The Night Ferry”". For a bulk change it includes the id with which its items can be
 * listed.
 */
function lineOf(change: ListedChange): string {
  const { actor, items, id } = change
  const many = items > 0 ? ` (${pluralize(items, 'item')}: ${id})` : ''
  return `${actorName(actor)} ${sentenceOf(change)}${many}`
}
