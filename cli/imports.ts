import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { begin, send, sheet } from '#cli/imports/begin'
import { apply, discard, drop, plan, show } from '#cli/imports/settle'
import { jsonFlag, print, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { listDrafts } from '#src/import/draft/find'
import { listImports, undoImport } from '#src/import/undo'

const list = defineCommand({
  meta: { name: 'list', description: 'Lists the imports, the newest first. Example: nocturne imports list' },
  args: jsonFlag,
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const batches = await listImports(db)
      print(args.json, batches, () =>
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
    }),
})

const undo = defineCommand({
  meta: {
    name: 'undo',
    description: 'Takes a whole import back. Example: nocturne imports undo 019c… --yes',
  },
  args: {
    id: { type: 'positional', description: "The import's id", required: true },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Undo import ${args.id}? Its items go; what it changed comes back.`)))
      return
    await withParts(async ({ db }) => {
      const undone = await undoImport(db, args.id, operatorName())
      print(args.json, undone, () => [`${undone.removed} items removed, ${undone.restored} restored.`])
    })
  },
})

const drafts = defineCommand({
  meta: {
    name: 'drafts',
    description:
      'Lists the imports that were begun in the console. Example: nocturne imports drafts --owner Ada',
  },
  args: { owner: { type: 'string', description: 'Of this operator alone' }, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const begun = await listDrafts(db, args.owner)
      print(args.json, begun, () =>
        table(
          begun.map((draft) => [
            draft.id,
            draft.owner,
            draft.state,
            `${draft.rowCount} rows`,
            `until ${draft.expiresAt.slice(0, 10)}`,
            draft.fileName ?? 'no sheet yet',
          ]),
        ),
      )
    }),
})

export default defineCommand({
  meta: {
    name: 'imports',
    description:
      'Imports: list, undo; begun step by step: drafts, begin, sheet, send, drop, show, plan, apply, discard',
  },
  subCommands: { list, undo, drafts, begin, show, sheet, send, drop, plan, apply, discard },
})
