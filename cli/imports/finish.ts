import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { applyDraft } from '#src/import/draft/apply'
import { discardDraft } from '#src/import/draft/change'
import { removeFile } from '#src/import/draft/files'
import { findDraft } from '#src/import/draft/find'
import { makePlan, planDraft } from '#src/import/draft/plan'
import { readDraftRows } from '#src/import/draft/read'
import { failedRowsCsv } from '#src/import/failed-rows'
import { writeWhole } from '#src/storage/whole-file'
import { draftArg, draftLines, printFileNotes } from './draft'

export const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Shows an import that you have started, with its files. Example: nocturne imports show 019c…',
  },
  args: { ...draftArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const draft = await findDraft(db, args.id, operatorName())
      print(args, draft, () => draftLines(draft))
      printFileNotes(draft)
    }),
})

export const drop = defineCommand({
  meta: {
    name: 'drop',
    description: 'Takes a file out of an import. Example: nocturne imports drop 019c… moonrise.mp3 --yes',
  },
  args: {
    ...draftArg,
    file: { type: 'positional', description: 'Its name or id', required: true },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Take ${args.file} out of import ${args.id}?`))) return
    await withServices(async ({ db }) => {
      const by = operatorName()
      const { files } = await findDraft(db, args.id, by)
      const fileId = files.find((each) => each.fileName === args.file)?.id ?? args.file
      await removeFile(db, args.id, by, fileId)
      print(args, { id: fileId, removed: true }, () => [`Taken out: ${args.file}`])
    })
  },
})

export const plan = defineCommand({
  meta: {
    name: 'plan',
    description:
      'Shows what an import would do, row by row; nothing changes. Exit code 1 if a row has a problem. Example: nocturne imports plan 019c… --failed fix.csv',
  },
  args: {
    ...draftArg,
    failed: { type: 'string', ...fileNamed('A CSV for the rows that fail, to fix and send again') },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const by = operatorName()
      const planned = await planDraft(db, args.id, by)
      printFileNotes(await findDraft(db, args.id, by))
      print(args, planned, () =>
        table(
          planned.rows.map(({ sheet, row, verdict, title, what }) => [
            ...(sheet === undefined ? [] : [sheet]),
            ...[String(row), verdict, title, what],
          ]),
        ),
      )
      for (const name of planned.unmatchedAudio) printNote(`No row is named like ${name}.`)
      for (const message of planned.fileProblems) printNote(message)
      if (planned.counts.problem === 0) return
      process.exitCode = 1
      if (args.failed === undefined) return
      const made = await makePlan(db, args.id, by)
      const failed = failedRowsCsv(made.plan, await readDraftRows(db, args.id)) ?? ''
      await writeWhole(args.failed, [Buffer.from(failed)], { access: 'shared' })
      printNote(`The rows that fail are in ${args.failed}.`)
    }),
})

export const apply = defineCommand({
  meta: {
    name: 'apply',
    description:
      'Has the server apply an import, all or nothing. Example: nocturne imports apply 019c… --strict',
  },
  args: {
    ...draftArg,
    strict: { type: 'boolean', description: 'One problem, and nothing is imported', default: false },
    narrate: { type: 'boolean', description: 'Narrate new items that come without audio', default: false },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const options = { strict: args.strict, narrate: args.narrate }
      const jobId = await applyDraft(db, args.id, operatorName(), options)
      print(args, { jobId }, () => [jobId])
      printNote('The server applies it while it runs: see nocturne imports show.')
    }),
})

export const discard = defineCommand({
  meta: {
    name: 'discard',
    description: 'Discards an import that you have started. Example: nocturne imports discard 019c… --yes',
  },
  args: { ...draftArg, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Discard import ${args.id}?`))) return
    await withServices(async ({ db }) => {
      await discardDraft(db, args.id, operatorName())
      print(args, { id: args.id, discarded: true }, () => ['Discarded.'])
    })
  },
})
