import * as t from 'typebox'
import { timingsCharactersMax } from '#src/narration/timing/read-heard-words'
import { requireItem, uploadNarration } from '#src/narration/upload/upload-narration'
import { uploadTimings } from '#src/narration/upload/upload-timings'
import { operatorNameOf } from '#src/request/caller'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { refusedField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { voices } from '#src/story/rules'
import { urls } from '#src/urls'
import { audioAnswers } from './audio-answers'
import { findNarrationFile, listNarrations, requireLibraryItem, restoreNarration } from './earlier-narrations'
import { audioBytesMax } from './rules'
import { receiveFromOperator } from './upload/receive-from-operator'

/** Bytes of the two small fields that accompany the file. */
const formBytesMax = 64 * 1024

const itemParams = t.Object({ id: t.String({ maxLength: 64 }) })
const narrationParams = t.Object({
  id: t.String({ maxLength: 64 }),
  narrationId: t.String({ maxLength: 64 }),
})

const Narration = t.Object({
  id: t.String(),
  voice: oneOf(voices),
  narrator: t.Union([t.String(), t.Null()], { description: 'Null if nobody said who speaks.' }),
  provider: t.String({
    description: 'Its source.',
    examples: ['upload', 'built-in', 'elevenlabs', 'openai'],
  }),
  fileName: t.Union([t.String(), t.Null()], { description: 'The original name of the file.' }),
  isCurrent: t.Boolean({ description: 'Whether it is in use.' }),
  sizeBytes: t.Integer(),
  durationSeconds: t.Number(),
  createdAt: t.String({ description: 'ISO 8601, UTC.' }),
})

/** Routes that give an item a narration or use an earlier one again. playback/api.ts has the routes that play them. */
export function narrationApi(services: Services) {
  return router()
    .put(
      '/api/premium-audio/:id/:voice/timings',
      async ({ params, body, caller }) =>
        uploadTimings(
          services.db,
          params.id,
          { voice: params.voice, file: body.file },
          operatorNameOf(caller),
        ),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }), voice: t.String({ maxLength: 16 }) }),
        body: t.Object({
          file: t.String({
            maxLength: timingsCharactersMax,
            description: 'WebVTT, SubRip, or JSON with start, end and text, as text.',
            examples: ['WEBVTT\n\n00:00.300 --> 00:02.100\nThe last boat left at ten.'],
          }),
        }),
        response: t.Object({ sentences: t.Integer(), words: t.Integer(), matched: t.Integer() }),
        ...about(
          'narration',
          'Upload the timings of a narration',
          "Aligned to the text's sentences; `matched` of its `words` were matched. For narrations that were recorded elsewhere.",
        ),
      },
    )
    .post(
      '/api/premium-content/:id/upload-audio',
      async ({ params, request, caller }) => {
        const by = operatorNameOf(caller)
        await requireItem(services, params.id)
        const { fields, files } = await receiveFromOperator(
          services,
          { request, caller },
          {
            fields: { audioFile: 1 },
            bodyBytesMax: audioBytesMax + formBytesMax,
          },
        )
        const [file] = files
        if (!file) throw refusedField('audioFile', 'Choose an MP3, WAV or M4A file.')
        const narrated = fields.get('voice') ?? 'female'
        const { voice, fileName, warnings } = await uploadNarration(
          services,
          params.id,
          { ...file, narrated },
          by,
        )
        return { filename: fileName, audioUrl: urls.premiumAudio(params.id, voice), warnings }
      },
      {
        parse: 'none',
        params: itemParams,
        response: t.Object({
          filename: t.String({ examples: ['the-night-ferry.mp3'] }),
          audioUrl: t.String({
            examples: ['/api/premium-audio/019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57/female'],
          }),
          warnings: t.Array(
            t.String({ description: 'What is unusual about a playable file, and how to fix it.' }),
          ),
        }),
        detail: {
          ...about('narration', 'Upload a narration').detail,
          description:
            'Multipart: `audioFile` (MP3, WAV or M4A of at most 1 GB) and `voice` (`female`, `male` or a narrator; female). It becomes the current narration of that voice.',
          requestBody: {
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['audioFile'],
                  properties: {
                    audioFile: { type: 'string', format: 'binary' },
                    voice: { type: 'string', default: 'female' },
                  },
                },
              },
            },
          },
        },
      },
    )
    .use(earlierNarrations(services))
}

/** Routes that list the earlier narrations of an item and restore one. */
function earlierNarrations({ db, storage }: Services) {
  return router()
    .get(
      '/api/premium-content/:id/narrations',
      async ({ params }) => {
        await requireLibraryItem(db, params.id)
        const rows = await listNarrations(db, params.id)
        return rows.map(({ costUsd, ...row }) => ({ ...row, createdAt: row.createdAt.toISOString() }))
      },
      {
        params: itemParams,
        response: t.Array(Narration),
        ...about(
          'narration',
          'List the narrations of an item',
          'The current ones and then the earlier ones, the newest first, 50 at most. A file that was uploaded twice is listed once.',
        ),
      },
    )
    .get(
      '/api/premium-content/:id/narrations/:narrationId/audio',
      async ({ params: { id, narrationId }, request }) =>
        storage.respond(await findNarrationFile(db, id, narrationId), request),
      {
        params: narrationParams,
        detail: {
          ...about('narration', 'Hear any narration of an item').detail,
          description: 'An earlier one too, before it is used again: whole or in ranges.',
          responses: audioAnswers('The whole audio, or its headers (HEAD)'),
        },
      },
    )
    .post(
      '/api/premium-content/:id/narrations/:narrationId/restore',
      async ({ params: { id, narrationId }, caller }) => {
        const { voice } = await restoreNarration(db, id, narrationId, operatorNameOf(caller))
        return { success: true, voice, audioUrl: urls.premiumAudio(id, voice) }
      },
      {
        params: narrationParams,
        response: t.Object({ success: t.Boolean(), voice: oneOf(voices), audioUrl: t.String() }),
        ...about(
          'narration',
          'Use an earlier narration again',
          'It becomes the current one of its voice; the current one is retained.',
          { 409: 'A narration in that voice is being made' },
        ),
      },
    )
}
