import { defineCommand } from 'citty'
import { chooseNumber } from '#cli/choose'
import { begin, choose, send, sheet } from '#cli/imports/begin'
import { apply, discard, drop, plan, show } from '#cli/imports/finish'
import { undo } from '#cli/imports/undo'
import { jsonFlag, print, printCount, printNote, table } from '#cli/output'
import { followed, sinceFlag } from '#cli/since'
import { withServices } from '#cli/with-services'
import { listDrafts } from '#src/import/draft/find'
import { countImports, listImports } from '#src/import/undo'
import { cutPage } from '#src/shape/list-page'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: { name: 'list', description: 'Lists the imports, the newest first. Example: nocturne imports list' },
  args: {
    limit: { type: 'string', description: 'How many', default: '50' },
    cursor: { type: 'string', description: 'The id of the last import of the page before' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const limit = chooseNumber('limit', args.limit, { min: 1, max: 5_000 })
    return withServices(async ({ db }) => {
      const rows = await listImports(db, { limit: limit + 1, before: args.cursor })
      const { page: batches, nextCursor } = cutPage(rows, limit, ({ id }) => id)
      print(args, batches, () =>
        table(
          batches.map((batch) => [
            batch.id,
            batch.createdAt.toISOString().slice(0, 16),
            batch.state,
            `${batch.imported} imported, ${batch.updated} updated`,
            batch.fileName ?? batch.kind,
          ]),
        ),
      )
      printCount(batches.length, { count: await countImports(db), nextCursor }, 'import')
    })
  },
})

const drafts = defineCommand({
  meta: {
    name: 'drafts',
    description:
      'Lists the imports that were started in the console. Example: nocturne imports drafts --owner Ada',
  },
  args: { owner: { type: 'string', description: 'Only of this operator' }, ...sinceFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const begun = await followed(args, () => listDrafts(db, args.owner))
      print(args, begun, () =>
        table(
          begun.map((draft) => [
            draft.id,
            draft.owner,
            draft.state,
            pluralize(draft.rowCount, 'row'),
            `until ${draft.expiresAt.slice(0, 10)}`,
            draft.fileName ?? 'no sheet yet',
          ]),
        ),
      )
      printNote(pluralize(begun.length, 'import'))
    }),
})

export default defineCommand({
  meta: {
    name: 'imports',
    description:
      'Imports: list, undo; step by step: drafts, begin, sheet, choose, send, drop, show, plan, apply, discard',
  },
  subCommands: { list, undo, drafts, begin, show, sheet, choose, send, drop, plan, apply, discard },
})
