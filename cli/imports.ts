import { defineCommand } from 'citty'
import { confirm } from '#cli/confirm'
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
    yes: { type: 'boolean', description: 'Do not ask', default: false },
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
  meta: { name: 'imports', description: 'Imports: list, undo, drafts' },
  subCommands: { list, undo, drafts },
})
