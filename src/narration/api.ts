import * as t from 'typebox'
import { prioritizeNarration } from '#src/narration/playback/prioritize'
import { respondAudio } from '#src/narration/playback/respond-audio'
import { respondPreview } from '#src/narration/playback/respond-preview'
import { NarrationTimings, respondTimings } from '#src/narration/playback/respond-timings'
import { timingsCharactersMax } from '#src/narration/timing/read-heard-words'
import { requireItem, uploadNarration } from '#src/narration/upload/upload-narration'
import { uploadTimings } from '#src/narration/upload/upload-timings'
import { operatorNameOf } from '#src/request/caller'
import { about, fileAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { refusedField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { voices } from '#src/story/rules'
import { urls } from '#src/urls'
import { findNarrationFile, listNarrations, requireLibraryItem, restoreNarration } from './earlier-narrations'
import { audioBytesMax, audioTypes } from './rules'
import { receiveFromOperator } from './upload/receive-from-operator'

/** The two small fields beside the file. */
const formBytesMax = 64 * 1024

const itemParams = t.Object({ id: t.String({ maxLength: 64 }) })
const narrationParams = t.Object({
  id: t.String({ maxLength: 64 }),
  narrationId: t.String({ maxLength: 64 }),
})

/** The answers of a call that sends audio. */
const audioAnswers = (whole: string) => ({
  200: fileAnswer(whole, ...Object.values(audioTypes)),
  206: fileAnswer('The range that was asked for', ...Object.values(audioTypes)),
  304: { description: 'What the asker has (If-None-Match) is still the same' },
  416: { description: 'The range lies past the end' },
})

const Narration = t.Object({
  id: t.String(),
  voice: oneOf(voices),
  narrator: t.Union([t.String(), t.Null()], { description: 'Null where nobody said who speaks.' }),
  provider: t.String({
    description: 'Its source.',
    examples: ['upload', 'built-in', 'elevenlabs', 'openai'],
  }),
  fileName: t.Union([t.String(), t.Null()], { description: 'As it was called where it came from.' }),
  isCurrent: t.Boolean({ description: 'Whether it is heard.' }),
  sizeBytes: t.Integer(),
  durationSeconds: t.Number(),
  createdAt: t.String({ description: 'ISO 8601, UTC.' }),
})

/** Hearing narrations, and giving one to an item. */
export function narrationApi(services: Services) {
  return router()
    .get(
      '/api/premium-audio/:id/:voice',
      ({ params, context }) => respondAudio(context, params.id, params.voice),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }), voice: t.String({ maxLength: 16 }) }),
        detail: {
          ...about('narration', 'Hear a narration').detail,
          description:
            'The audio of an item in a voice (`female` or `male`), whole or in ranges. HEAD answers alike: it is how a player asks whether it may play. Visitors get 403 `sign_up_to_listen`, whether or not there is a narration, but for free samples.',
          responses: {
            ...audioAnswers('The whole audio, or its headers (HEAD)'),
            403: { description: 'A visitor: sign up to listen' },
          },
        },
      },
    )
    .get(
      '/api/premium-audio/:id/:voice/preview',
      ({ params, context }) => respondPreview(context, params.id, params.voice),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }), voice: t.String({ maxLength: 16 }) }),
        detail: {
          ...about('narration', 'Hear the beginning of a narration').detail,
          description:
            'The first `PREVIEW_SECONDS` of a published item, cut at a frame, whole or in ranges, for everybody. Where previews are off (0), visitors get 403 `sign_up_to_listen`, as for the whole.',
          responses: {
            ...audioAnswers('The beginning, or its headers (HEAD)'),
            403: { description: 'A visitor, where previews are off: sign up to listen' },
          },
        },
      },
    )
    .post(
      '/api/premium-audio/:id/:voice/prioritize',
      async ({ params, caller }) => ({
        state: await prioritizeNarration(services.db, caller, params.id, params.voice),
      }),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }), voice: t.String({ maxLength: 16 }) }),
        response: t.Object({ state: oneOf(['ready', 'waiting']) }),
        ...about(
          'narration',
          'Have a waiting narration made first',
          'For who may hear it, where it waits in the background; nothing is queued. `ready`: it can be heard.',
          { 403: 'A visitor: sign up to listen', 404: 'No such narration waits' },
        ),
      },
    )
    .get(
      '/api/premium-audio/:id/:voice/timings',
      ({ params, context }) => respondTimings(context, params.id, params.voice),
      {
        params: t.Object({ id: t.String({ maxLength: 64 }), voice: t.String({ maxLength: 16 }) }),
        response: NarrationTimings,
        ...about(
          'narration',
          'When each word is heard',
          'For who may hear the narration, with an ETag. `timings` is null where nobody knows.',
          { 403: 'A visitor: sign up to listen' },
        ),
      },
    )
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
          "Aligned to the text's sentences; `matched` of its `words` were found again. For narrations that were recorded elsewhere.",
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
            t.String({ description: 'What is odd about a file that plays, each with how to fix it.' }),
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

/** What was heard of an item before, and the way back to it. */
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
          'It becomes the current one of its voice; the present one is retained.',
          { 409: 'A narration in that voice is being made' },
        ),
      },
    )
}
