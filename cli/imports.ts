import { defineCommand } from 'citty'
import { begin, choose, send, sheet } from '#cli/imports/begin'
import { apply, discard, drop, plan, show } from '#cli/imports/finish'
import { undo } from '#cli/imports/undo'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { followed, sinceFlag } from '#cli/since'
import { withServices } from '#cli/with-services'
import { listDrafts } from '#src/import/draft/find'
import { listImports } from '#src/import/undo'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: { name: 'list', description: 'Lists the imports, the newest first. Example: nocturne imports list' },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const batches = await listImports(db)
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
      printNote(pluralize(batches.length, 'import'))
    }),
})

const drafts = defineCommand({
  meta: {
    name: 'drafts',
    description:
      'Lists the imports that were begun in the console. Example: nocturne imports drafts --owner Ada',
  },
  args: { owner: { type: 'string', description: 'Of this operator alone' }, ...sinceFlag, ...jsonFlag },
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
      'Imports: list, undo; begun step by step: drafts, begin, sheet, choose, send, drop, show, plan, apply, discard',
  },
  subCommands: { list, undo, drafts, begin, show, sheet, choose, send, drop, plan, apply, discard },
})
