import { basename } from 'node:path'
import { defineCommand } from 'citty'
import { findSheet } from '#cli/import-command'
import { jsonFlag, print, table } from '#cli/output'
import { requireFile } from '#cli/read-text'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { openDraft, putChoices, putSheet, requireOpen } from '#src/import/draft/change'
import { addFile } from '#src/import/draft/files'
import { findDraft } from '#src/import/draft/find'
import type { DraftFile } from '#src/import/draft/schema'
import { pluralize } from '#src/text/pluralize'
import { choiceFlags, choicesOf } from './choices'
import { draftArg, draftLines, fileCells, printFileNotes } from './draft'

export const begin = defineCommand({
  meta: {
    name: 'begin',
    description:
      'Starts an import that is put together step by step, and kept for a week. Example: nocturne imports begin november.xlsx',
  },
  args: {
    sheet: { type: 'positional', ...fileNamed('A .xlsx, .xls, .csv or .json file'), required: false },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const sheet = args.sheet === undefined ? null : await findSheet(args.sheet)
    await withServices(async ({ db }) => {
      const by = operatorName()
      const id = await openDraft(db, by)
      if (sheet) await putSheet(db, id, by, sheet)
      const draft = await findDraft(db, id, by)
      print(args, draft, () => [id])
      printFileNotes(draft)
    })
  },
})

export const sheet = defineCommand({
  meta: {
    name: 'sheet',
    description:
      'Gives an import its sheet, replacing the one before. Example: nocturne imports sheet 019c… november.xlsx',
  },
  args: {
    ...draftArg,
    file: { type: 'positional', ...fileNamed('A .xlsx, .xls, .csv or .json file'), required: true },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const found = await findSheet(args.file)
    await withServices(async ({ db }) => {
      await putSheet(db, args.id, operatorName(), found)
      const draft = await findDraft(db, args.id, operatorName())
      print(args, draft, () => [pluralize(draft.rowCount, 'row')])
      printFileNotes(draft)
    })
  },
})

export const choose = defineCommand({
  meta: {
    name: 'choose',
    description:
      'Chooses sheets and columns of an import, replacing earlier choices. Example: nocturne imports choose 019c… --sheets November --columns "Titel=Name"',
  },
  args: { ...draftArg, ...choiceFlags, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      await putChoices(db, args.id, operatorName(), choicesOf(args))
      const draft = await findDraft(db, args.id, operatorName())
      print(args, draft, () => draftLines(draft))
    }),
})

export const send = defineCommand({
  meta: {
    name: 'send',
    description:
      'Adds audio, or timings, to an import. Exit code 1 if a file cannot be used. Example: nocturne imports send 019c… mp3/*.mp3',
  },
  args: {
    ...draftArg,
    'files…': { type: 'positional', ...fileNamed('MP3, WAV, M4A, .vtt, .srt or .json'), required: true },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const [id = '', ...paths] = args._
    for (const path of paths) await requireFile(path)
    await withServices(async (services) => {
      const by = operatorName()
      await requireOpen(services.db, id, by)
      const files: DraftFile[] = []
      for (const path of paths) {
        const staged = await services.storage.receive(path)
        files.push(await addFile(services, id, by, { staged, fileName: basename(path) }))
      }
      print(args, files, () => table(files.map(fileCells)))
      if (files.some(({ state }) => state === 'refused')) process.exitCode = 1
    })
  },
})
