import { defineCommand } from 'citty'
import { jsonFlag, print, table } from '#cli/output'
import { withParts } from '#cli/with-parts'
import { listChanges } from '#src/operator/list-changes'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the newest changes: who, when, what. Example: nocturne audit list --limit 20',
  },
  args: { limit: { type: 'string', description: 'How many', default: '50' }, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const limit = Math.min(1_000, Math.max(1, Number.parseInt(args.limit, 10) || 50))
      const changes = await listChanges(db, { limit })
      print(args.json, changes, () =>
        table(
          changes.map((each) => [
            each.at.toISOString(),
            each.actor,
            each.action,
            `${each.subjectType} ${each.subjectId ?? ''}`,
          ]),
        ),
      )
    }),
})

export default defineCommand({
  meta: { name: 'audit', description: 'The audit log: list' },
  subCommands: { list },
})
