import { defineCommand } from 'citty'
import { jsonFlag, print, table } from '#cli/output'
import { withServices } from '#cli/with-services'
import { AppError } from '#src/app-error'
import { findChange, listChangedItems, listChanges } from '#src/operator/list-changes'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the newest changes: who, when, what. Example: nocturne audit list --limit 20',
  },
  args: { limit: { type: 'string', description: 'How many', default: '50' }, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const limit = Math.min(1_000, Math.max(1, Number.parseInt(args.limit, 10) || 50))
      const changes = await listChanges(db, { limit })
      print(args, changes, () =>
        table(
          changes.map((each) => [
            each.at.toISOString(),
            each.actor,
            each.action,
            `${each.subjectType} ${each.subjectId ?? ''}${each.items > 0 ? ` (${pluralize(each.items, 'item')}: ${each.id})` : ''}`,
          ]),
        ),
      )
    }),
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
        `${change.at.toISOString()}  ${change.actor}  ${change.action} ${change.subjectType} ${change.subjectId ?? ''}`,
        ...table(items.map(({ id, title, verdict, fields }) => [id, verdict, title, fields.join(', ')])),
      ])
    }),
})

export default defineCommand({
  meta: { name: 'audit', description: 'The audit log: list, show' },
  subCommands: { list, show },
})
