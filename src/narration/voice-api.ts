import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { priorities } from '#src/job/rules'
import { estimateTest, testAudio } from '#src/narration/voice/test-audio'
import { recordChange } from '#src/operator/audit'
import { operatorNameOf } from '#src/request/caller'
import { about, fileAnswer, router } from '#src/request/router'
import { sentencesOf } from '#src/script/format/changed-sentences'
import { requireOpenText } from '#src/script/open-text'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { readNarratedVoice } from '#src/story/voice'
import { costWords } from './cost-words'
import { enqueueNarration } from './enqueue'
import { estimateNarration, requireSpeaker } from './estimate'
import { narratorFor } from './narrate'
import { labNarratorsMax, narrators, voiceProviders } from './rules'
import { listUnspoken } from './unspoken'

const Estimate = t.Object({
  provider: oneOf(voiceProviders, { description: 'Who would speak; another one if that one fails.' }),
  narrator: oneOf(narrators),
  characters: t.Integer({ description: 'What is charged for.', examples: [412] }),
  costUsd: t.Number({ examples: [0.12] }),
  durationSeconds: t.Number({ examples: [30.5] }),
})
const ItemEstimate = t.Composite([
  Estimate,
  t.Object({
    price: t.String({ description: 'The cost in words.', examples: ['about $0.12'] }),
    sentences: t.Integer({ description: 'Of the whole text.', examples: [41] }),
    unspoken: t.Array(t.String(), {
      description:
        'Sentences of the text that the current recording in this voice lacks; empty if it has them all, if there is no recording, or if its words are unknown.',
      examples: [['The last boat left at eleven.']],
    }),
  }),
])
const voice = t.String({ maxLength: 16, description: 'female, male or a narrator.', examples: ['rachel'] })
const text = t.String({
  // The handler's own message states the actual maximum.
  maxLength: 100_000,
  description: 'A paragraph, with marks or without.',
  examples: ['The last boat left at ten. [whisper]“You’re not cold?”[/whisper]'],
})
const VoiceOption = t.Object({ voice: t.Optional(voice) })
const params = t.Object({ id: t.String({ maxLength: 64 }) })

/** Routes for operators: tests of voices on a paragraph, estimates, and narrations of an item. */
export function voiceApi(services: Services) {
  const { db } = services
  return router()
    .post(
      '/api/test-audio',
      async ({ body, caller, request }) => {
        const speech = { text: body.text ?? '', voice: body.voice ?? 'rachel' }
        const { mp3, ...who } = await testAudio(services, speech, operatorNameOf(caller), request.signal)
        return new Response(mp3, {
          headers: {
            'content-type': 'audio/mpeg',
            'cache-control': 'private, no-store',
            'x-voice-provider': who.provider,
            'x-voice-narrator': who.narrator,
            'x-voice-cost-usd': String(who.costUsd),
          },
        })
      },
      {
        body: t.Object({ text: t.Optional(text), voice: t.Optional(voice) }),
        detail: {
          ...about('voices', 'Hear a paragraph').detail,
          description:
            'Spoken at once, as narrations are. `X-Voice-Provider`, `X-Voice-Narrator` and `X-Voice-Cost-Usd` say who spoke and for how much.',
          responses: { 200: fileAnswer('An MP3', 'audio/mpeg') },
        },
      },
    )
    .post(
      '/api/test-audio/estimate',
      async ({ body, caller }) => ({
        voices: await estimateTest(services, body.text, body.voices, operatorNameOf(caller)),
      }),
      {
        body: t.Object({
          text,
          voices: t.Array(voice, { minItems: 1, maxItems: labNarratorsMax, examples: [['rachel', 'adam']] }),
        }),
        response: t.Object({ voices: t.Array(t.Object({ voice, ...Estimate.properties })) }),
        ...about('voices', 'Estimate a paragraph in several voices', 'Nothing is spent.'),
      },
    )
    .post(
      '/api/stories/:id/narrate',
      async ({ params, body, caller, status }) => {
        const by = operatorNameOf(caller)
        const { voice, narrator } = await requestedVoice(params.id, body.voice)
        requireSpeaker(services.env, narratorFor(services.env, voice, narrator))
        const jobId = await db.transaction(async (tx) => {
          const id = await enqueueNarration(tx, params.id, voice, {
            priority: priorities.person,
            ...(narrator !== null && { narrator }),
          })
          if (!id) throw new AppError('invalid', 'This item has no text to narrate.')
          const after = { voice, narrator, jobId: id }
          await recordChange(tx, by, { action: 'narrate', subjectType: 'item', subjectId: params.id, after })
          return id
        })
        return status(201, { jobId })
      },
      {
        params,
        body: VoiceOption,
        response: { 201: t.Object({ jobId: t.String() }) },
        ...about(
          'voices',
          'Have an item narrated',
          'Starts a job; asked for again while it waits or runs, it is the same one.',
        ),
      },
    )
    .post(
      '/api/stories/:id/narrate/estimate',
      async ({ params, body }) => {
        const { story, voice, narrator } = await requestedVoice(params.id, body.voice)
        const estimate = await estimateNarration(services, params.id, voice, narrator)
        const unspoken = (await listUnspoken(db, story)).find((each) => each.voice === voice)
        const { length: sentences } = await sentencesOf(story.content)
        return {
          ...estimate,
          price: costWords(estimate.costUsd),
          sentences,
          unspoken: unspoken?.sentences ?? [],
        }
      },
      {
        params,
        body: VoiceOption,
        response: ItemEstimate,
        ...about('voices', 'Estimate the narration of an item', 'Nothing is spent.'),
      },
    )

  /** The requested voice and narrator, or the item's own. */
  async function requestedVoice(id: string, requested: string | undefined) {
    const story = await requireOpenText(db, id)
    const { voice, narratorFemale, narratorMale } = readNarratedVoice(requested ?? story.voice)
    const own = { female: story.narratorFemale, male: story.narratorMale }
    return { story, voice, narrator: narratorFemale ?? narratorMale ?? own[voice] }
  }
}
