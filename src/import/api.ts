import { rm } from 'node:fs/promises'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import { receiveUpload } from '#src/narration/upload/receive-upload'
import { operatorNameOf } from '#src/request/caller'
import { about, chunksOf, longListAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { binDays } from '#src/story/rules'

import { warningsOf } from './apply'
import { type FileImportOutcome, importFiles } from './import-files'
import { SheetChoices, SheetView } from './rows/sheet-schema'
import { audioFilesMax, problemsListedMax } from './rules'
import { listImports, planUndoOf, undoImport } from './undo'
import { answerUndo } from './undo-answer'
import { editedChoices } from './undo-rules'
import { UndoAnswer } from './undo-schema'

const Flag = t.Optional(t.Union([t.Literal('true'), t.Literal('false')], { error: 'Expected true or false' }))

const ImportAnswer = t.Object({
  message: t.String(),
  imported: t.Integer(),
  updated: t.Integer(),
  skipped: t.Integer(),
  matchedAudio: t.Integer(),
  unmatchedAudio: t.Array(t.String()),
  problems: t.Array(
    t.Object({
      row: t.Integer({
        description:
          'The number that the sheet’s own program shows; of JSON the item’s, of a paste the line’s; 0 for a file.',
      }),
      sheet: t.Optional(t.String({ description: 'Of a workbook with several.', examples: ['November'] })),
      field: t.String(),
      column: t.Optional(
        t.String({ description: 'Its letter and heading, where it has one.', examples: ['C “Voice”'] }),
      ),
      message: t.String(),
    }),
  ),
  batchId: t.Union([t.String(), t.Null()]),
  warnings: t.Array(t.String(), {
    description: 'What the guidelines found and let pass, and what is odd about a file, by row.',
  }),
  ...SheetView.properties,
  rows: t.Array(
    t.Object({
      row: t.Integer(),
      sheet: t.Optional(t.String()),
      title: t.String(),
      verdict: t.String(),
      changes: t.Array(t.String()),
      audio: t.Array(t.Object({ voice: t.String(), fileName: t.String() })),
      isHeld: t.Boolean({ description: 'Kept for review, seen by nobody until an operator approves it.' }),
    }),
    { description: 'The plan: every row with its verdict.' },
  ),
})
type ImportAnswer = t.Static<typeof ImportAnswer>

/** Sheets with their audio, and the batches they made. */
export function importApi(services: Services) {
  const { db } = services
  return router()
    .post(
      '/api/premium-content/excel-import',
      async ({ request, query, caller }) => {
        const by = operatorNameOf(caller)
        const upload = await receiveUpload(services, request, { fields: { excel: 1, mp3s: audioFilesMax } })
        try {
          const [sheet] = upload.files.filter((file) => file.field === 'excel')
          if (!sheet)
            throw new AppError('invalid', 'Please select an Excel/CSV file', {
              fields: [{ path: 'excel', message: 'Missing file' }],
            })
          const audio = upload.files.filter((file) => file.field === 'mp3s')
          const outcome = await importFiles(
            services,
            {
              sheet: { path: sheet.staged.path, fileName: sheet.fileName },
              choices: readChoices(query.choices),
              audio: audio.map(({ fileName, staged }) => ({ fileName, stage: async () => staged })),
            },
            {
              isDryRun: query.dryRun === 'true',
              strict: query.strict === 'true',
              narrate: query.narrate === 'true' ? 'all' : 'none',
            },
            by,
          )
          const { rows, ...rest } = toAnswer(outcome)
          return longListAnswer('rows', chunksOf(rows), rest)
        } finally {
          for (const { staged } of upload.files) await rm(staged.path, { force: true })
        }
      },
      {
        parse: 'none',
        query: t.Object({
          ...{ dryRun: Flag, strict: Flag, narrate: Flag },
          choices: t.Optional(
            t.String({
              maxLength: 16_384,
              description:
                'JSON: the sheets to import, what columns are by heading or letter, and whether hidden rows are imported.',
              examples: ['{"sheets":["November"],"columns":{"Titel":"Name"},"hiddenRows":true}'],
            }),
          ),
        }),
        response: ImportAnswer,
        detail: {
          ...about('import', 'Import a sheet with its MP3s').detail,
          description:
            'Multipart: `excel` (one .xlsx, .xls, .csv or .json), `mp3s` (any number). `dryRun=true` answers the plan and changes nothing; `strict=true` is all or nothing; `narrate=true` narrates new items without audio.',
          requestBody: {
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['excel'],
                  properties: {
                    excel: { type: 'string', format: 'binary' },
                    mp3s: { type: 'array', items: { type: 'string', format: 'binary' } },
                  },
                },
              },
            },
          },
        },
      },
    )
    .get(
      '/api/imports',
      async () =>
        (await listImports(db)).map(({ createdAt, undoneAt, report, ...row }) => ({
          ...row,
          createdAt: createdAt.toISOString(),
          undoneAt: undoneAt?.toISOString() ?? null,
        })),
      {
        response: t.Array(
          t.Object({
            id: t.String(),
            kind: t.String(),
            fileName: t.Union([t.String(), t.Null()]),
            by: t.String(),
            state: t.String(),
            imported: t.Integer(),
            updated: t.Integer(),
            skipped: t.Integer(),
            matchedAudio: t.Integer(),
            createdAt: t.String(),
            undoneAt: t.Union([t.String(), t.Null()]),
          }),
        ),
        ...about('import', 'List the imports, the newest first'),
      },
    )
    .post(
      '/api/imports/:id/undo',
      async ({ params, query, caller }) => {
        const { edited, plan: expected } = query
        const isDryRun = query.dryRun === 'true'
        const plan = isDryRun
          ? await planUndoOf(db, params.id, { edited })
          : await undoImport(db, params.id, operatorNameOf(caller), { edited, expected })
        return answerUndo(db, plan, { isDryRun })
      },
      {
        params: t.Object({ id: t.String({ maxLength: 64 }) }),
        query: t.Object({
          dryRun: Flag,
          edited: t.Optional(
            oneOf(editedChoices, {
              description: 'What happens to what was edited since: `keep` without it.',
            }),
          ),
          plan: t.Optional(
            t.String({ maxLength: 64, description: 'The fingerprint of a plan: another one is 409.' }),
          ),
        }),
        response: UndoAnswer,
        ...about(
          'import',
          'Undo an import',
          `What it made goes into the bin for ${binDays} days, what it changed goes back to what it was; what was edited since stays, unless \`edited=remove\`. \`dryRun=true\` answers the plan and changes nothing. A second time is 409.`,
        ),
      },
    )
}

function readChoices(json: string | undefined): SheetChoices {
  if (json === undefined) return {}
  try {
    return Value.Parse(SheetChoices, JSON.parse(json))
  } catch (cause) {
    throw new AppError(
      'invalid',
      'choices is no JSON such as {"sheets":["November"],"columns":{"Titel":"Name"},"hiddenRows":true}.',
      { cause },
    )
  }
}

/** The plan or the result in the shape of the API and of the CLI's JSON. */
export function toAnswer({ plan, result, sheets, notes }: FileImportOutcome): ImportAnswer {
  const { create, update, same, problem, empty } = plan.counts
  return {
    message: result
      ? `${create} imported, ${update} updated, ${same + problem + empty} skipped.`
      : `Nothing was changed. ${create} would be imported, ${update} updated, ${same + problem + empty} skipped.`,
    imported: create,
    updated: update,
    skipped: same + problem + empty,
    matchedAudio: plan.counts.matchedAudio,
    unmatchedAudio: plan.unmatchedAudio,
    problems: plan.problems.slice(0, problemsListedMax),
    batchId: result?.batchId ?? null,
    warnings: warningsOf(plan).slice(0, problemsListedMax),
    sheets,
    notes,
    rows: plan.rows.map(({ row, sheet, title, verdict, changes, audio, admitted }) => ({
      row,
      ...(sheet !== undefined && { sheet }),
      title,
      verdict,
      changes: changes.map(({ field }) => field),
      audio: audio.map(({ voice, file }) => ({ voice, fileName: file.fileName })),
      isHeld: admitted.isHeld,
    })),
  }
}
