import * as t from 'typebox'
import { audioAnswers } from '#src/narration/audio-answers'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { prioritizeNarration } from './prioritize'
import { respondAudio } from './respond-audio'
import { respondPreview } from './respond-preview'
import { NarrationTimings, respondTimings } from './respond-timings'

const voiceParams = t.Object({ id: t.String({ maxLength: 64 }), voice: t.String({ maxLength: 16 }) })

/** Routes that play narrations. */
export function playbackApi({ db }: Services) {
  return router()
    .get(
      '/api/premium-audio/:id/:voice',
      ({ params, context }) => respondAudio(context, params.id, params.voice),
      {
        params: voiceParams,
        detail: {
          ...about('narration', 'Hear a narration').detail,
          description:
            'The audio of an item in a voice (`female` or `male`), whole or in ranges. HEAD answers the same: with it, a player asks whether it may play. Visitors get 403 `sign_up_to_listen`, whether or not there is a narration, but for free samples.',
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
        params: voiceParams,
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
        state: await prioritizeNarration(db, caller, params.id, params.voice),
      }),
      {
        params: voiceParams,
        response: t.Object({ state: oneOf(['ready', 'waiting']) }),
        ...about(
          'narration',
          'Have a waiting narration made first',
          'For those who may hear it, if it waits in the background; nothing is queued. `ready`: it can be heard.',
          { 403: 'A visitor: sign up to listen', 404: 'No such narration waits' },
        ),
      },
    )
    .get(
      '/api/premium-audio/:id/:voice/timings',
      ({ params, context }) => respondTimings(context, params.id, params.voice),
      {
        params: voiceParams,
        response: NarrationTimings,
        ...about(
          'narration',
          'When each word is heard',
          'For those who may hear the narration, with an ETag. `timings` is null if they are unknown.',
          { 403: 'A visitor: sign up to listen' },
        ),
      },
    )
}
