import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { operatorNameOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, chunksOf, longListAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { cutPage } from '#src/shape/list-page'
import { oneOf } from '#src/shape/one-of'
import { binDays } from '#src/story/rules'
import { ImportAnswer, toAnswer } from './import-answer'
import { receiveImport } from './receive-import'
import { SheetChoices } from './rows/sheet-schema'
import { countImports, listImports, planUndoOf, undoImport } from './undo'
import { answerUndo } from './undo-answer'
import { editedChoices } from './undo-rules'
import { UndoAnswer } from './undo-schema'

/** Equal to the page size of the library. */
const importsLimitMax = 500
const Flag = t.Optional(t.Union([t.Literal('true'), t.Literal('false')], { error: 'Expected true or false' }))

/** Routes that import sheets with their audio, and routes of the resulting batches. */
export function importApi(services: Services) {
  const { db } = services
  return router()
    .post(
      '/api/premium-content/excel-import',
      async ({ request, query, caller }) => {
        const outcome = await receiveImport(
          services,
          { request, caller },
          {
            isDryRun: query.dryRun === 'true',
            strict: query.strict === 'true',
            narrate: query.narrate === 'true' ? 'all' : 'none',
          },
          readChoices(query.choices),
        )
        const { rows, ...rest } = toAnswer(outcome)
        return longListAnswer('rows', chunksOf(rows), rest)
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
      async ({ query: { limit = 50, cursor }, set, context }) => {
        const [rows, count] = await Promise.all([
          listImports(db, { limit: limit + 1, before: cursor }),
          countImports(db),
        ])
        const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
        Object.assign(set.headers, pageHeaders(context, { count, nextCursor }))
        return page.map(({ createdAt, undoneAt, report, ...row }) => ({
          ...row,
          createdAt: createdAt.toISOString(),
          undoneAt: undoneAt?.toISOString() ?? null,
        }))
      },
      {
        query: t.Object({
          limit: t.Optional(wholeNumber('limit', 1, importsLimitMax)),
          cursor: t.Optional(
            t.String({ maxLength: 64, description: 'The id of the last import of the page before.' }),
          ),
        }),
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
              description: 'What happens to items edited since; `keep` by default.',
            }),
          ),
          plan: t.Optional(
            t.String({
              maxLength: 64,
              description: 'The fingerprint of a plan: if the plan has changed, 409.',
            }),
          ),
        }),
        response: UndoAnswer,
        ...about(
          'import',
          'Undo an import',
          `Items it created go into the bin for ${binDays} days, items it changed go back to what they were; items edited since stay, unless \`edited=remove\`. \`dryRun=true\` answers the plan and changes nothing. A second undo is 409.`,
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
