import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { failedRowsCsv } from '#src/import/failed-rows'
import { SheetChoices } from '#src/import/rows/sheet-schema'
import { sheetBytesMax } from '#src/import/rules'
import { receiveFromOperator } from '#src/narration/upload/receive-from-operator'
import { type Caller, operatorNameOf } from '#src/request/caller'
import { listChanged } from '#src/request/list-changed'
import { about, chunksOf, fileAnswer, longListAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { SinceQuery } from '#src/shape/changes'
import { applyDraft } from './apply'
import { discardDraft, openDraft, putChoices, putSheet, requireOpen } from './change'
import { addFile, announceFiles, removeFile } from './files'
import { findDraft, listDrafts } from './find'
import { makePlan, planDraft } from './plan'
import { readDraftRows } from './read'
import { Announced, ApplyOptions, DraftFile, DraftPlan, DraftSummary, ImportDraft } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const conflict = { 409: 'It is running, or done' }

/** Routes of imports that are prepared step by step, so that nothing is sent twice: the console's Excel + MP3. */
export function importDraftApi(services: Services) {
  const { db } = services
  return router()
    .get(
      '/api/import-drafts',
      async ({ caller, query }) => listChanged(query, () => listDrafts(db, operatorNameOf(caller))),
      {
        query: t.Object(SinceQuery),
        response: t.Array(DraftSummary),
        ...about(
          'import',
          'List the imports that you have started',
          'Each operator sees their own, the last changed first; with `updatedSince` only what changed since then, the longest ago first. Discarded ones are not included.',
        ),
      },
    )
    .post(
      '/api/import-drafts',
      async ({ body, caller, status }) => {
        const by = operatorNameOf(caller)
        const id = await openDraft(db, by)
        if (body.files.length > 0) await announceFiles(services, id, by, body.files)
        return status(201, await findDraft(db, id, by))
      },
      {
        body: Announced,
        response: { 201: ImportDraft },
        ...about(
          'import',
          'Start an import',
          'With the files that will be sent, or none yet. It is kept for a week after its last change.',
          { 409: 'Too many imports are open' },
        ),
      },
    )
    .get(
      '/api/import-drafts/:id',
      async ({ params, caller }) => findDraft(db, params.id, operatorNameOf(caller)),
      { params, response: ImportDraft, ...about('import', 'Read an import that was started') },
    )
    .delete(
      '/api/import-drafts/:id',
      async ({ params, caller }) => {
        await discardDraft(db, params.id, operatorNameOf(caller))
        return { success: true }
      },
      {
        params,
        response: t.Object({ success: t.Boolean() }),
        ...about('import', 'Discard an import', 'Imported items stay; undo the import to remove them.', {
          409: 'It is running',
        }),
      },
    )
    .post(
      '/api/import-drafts/:id/sheet',
      async ({ params, request, caller }) => {
        const by = operatorNameOf(caller)
        const { fileName, staged } = await receiveOne(params.id, { request, caller }, 'excel')
        try {
          await putSheet(db, params.id, by, { path: staged.path, fileName })
        } finally {
          await services.storage.discard(staged)
        }
        return findDraft(db, params.id, by)
      },
      {
        parse: 'none',
        params,
        response: ImportDraft,
        detail: {
          ...about('import', 'Send the sheet of an import', undefined, conflict).detail,
          description:
            'Multipart: `excel` (one .xlsx, .xls, .csv or .json). It takes the place of the one before.',
          requestBody: multipart('excel'),
        },
      },
    )
    .put(
      '/api/import-drafts/:id/sheet',
      async ({ params, body, caller }) => {
        const by = operatorNameOf(caller)
        await putChoices(db, params.id, by, body)
        return findDraft(db, params.id, by)
      },
      {
        params,
        body: SheetChoices,
        response: ImportDraft,
        ...about(
          'import',
          'Choose sheets and columns of an import',
          'Replaces earlier choices; `{}` goes back to what was detected.',
          conflict,
        ),
      },
    )
    .put(
      '/api/import-drafts/:id/files',
      async ({ params, body, caller }) => {
        const by = operatorNameOf(caller)
        await announceFiles(services, params.id, by, body.files)
        return findDraft(db, params.id, by)
      },
      {
        params,
        body: Announced,
        response: ImportDraft,
        ...about(
          'import',
          'Name the files that will be sent',
          'The answer says which are already here, by their hash; the rest are `waiting`. Files that are not named are no longer expected.',
          conflict,
        ),
      },
    )
    .post(
      '/api/import-drafts/:id/files',
      async ({ params, request, caller }) => {
        const by = operatorNameOf(caller)
        return addFile(services, params.id, by, await receiveOne(params.id, { request, caller }, 'file'))
      },
      {
        parse: 'none',
        params,
        response: DraftFile,
        detail: {
          ...about('import', 'Send a file of an import', undefined, conflict).detail,
          description:
            'Multipart: `file`, an MP3, WAV or M4A of at most 1 GB, or timings (.vtt, .srt, .json). One that cannot be used is `refused` with its problem and is not stored.',
          requestBody: multipart('file'),
        },
      },
    )
    .delete(
      '/api/import-drafts/:id/files/:fileId',
      async ({ params, caller }) => {
        await removeFile(db, params.id, operatorNameOf(caller), params.fileId)
        return { success: true }
      },
      {
        params: t.Object({ ...params.properties, fileId: t.String({ maxLength: 64 }) }),
        response: t.Object({ success: t.Boolean() }),
        ...about('import', 'Take a file out of an import', undefined, conflict),
      },
    )
    .get(
      '/api/import-drafts/:id/plan',
      async ({ params, caller }) => {
        const { rows, ...rest } = await planDraft(db, params.id, operatorNameOf(caller))
        return longListAnswer('rows', chunksOf(rows), rest)
      },
      {
        params,
        response: DraftPlan,
        ...about('import', 'Plan an import', 'Every row with its verdict; nothing changes.'),
      },
    )
    .post(
      '/api/import-drafts/:id/apply',
      async ({ params, body, caller, context: { seen } }) => ({
        jobId: await applyDraft(db, params.id, operatorNameOf(caller), { ...body, seen }),
      }),
      {
        params,
        body: ApplyOptions,
        response: t.Object({ jobId: t.String() }),
        ...about(
          'import',
          'Apply an import',
          'Starts a job, all or nothing; follow it at `/api/jobs/events`. Called again while it runs, it answers the same job.',
          { 409: 'Files have not been sent, or it is done' },
        ),
      },
    )
    .get(
      '/api/import-drafts/:id/failed-rows',
      async ({ params, caller }) => {
        const by = operatorNameOf(caller)
        const { plan } = await makePlan(db, params.id, by)
        const csv = failedRowsCsv(plan, await readDraftRows(db, params.id))
        if (csv === null) throw new AppError('not_found', 'No row of this import failed.')
        return new Response(csv, {
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': 'attachment; filename="failed-rows.csv"',
            'cache-control': 'private, no-store',
          },
        })
      },
      {
        params,
        detail: {
          ...about('import', 'Download the rows that failed').detail,
          description: 'A CSV with what is wrong with each, to fix and import again.',
          responses: { 200: fileAnswer('A sheet', 'text/csv') },
        },
      },
    )

  /** Receives one file of a form. Checks the draft before receiving the file. */
  async function receiveOne(id: string, sent: { request: Request; caller: Caller }, field: 'excel' | 'file') {
    await requireOpen(db, id, operatorNameOf(sent.caller))
    const upload = await receiveFromOperator(services, sent, {
      fields: { [field]: 1 },
      ...(field === 'excel' && { fileBytesMax: sheetBytesMax }),
    })
    const [file] = upload.files
    if (!file) {
      const message = field === 'excel' ? 'Please select an Excel/CSV file' : 'Choose a file.'
      throw new AppError('invalid', message, { fields: [{ path: field, message: 'Missing file' }] })
    }
    return file
  }
}

function multipart(field: string) {
  return {
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object' as const,
          required: [field],
          properties: { [field]: { type: 'string' as const, format: 'binary' } },
        },
      },
    },
  }
}
