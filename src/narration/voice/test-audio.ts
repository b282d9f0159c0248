import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { type Estimate, estimatePlan } from '#src/narration/estimate'
import { narratorFor } from '#src/narration/narrate'
import { planSpeech, type SpeechPlan } from '#src/narration/plan-speech'
import { type Narrator, testCharactersMax } from '#src/narration/rules'
import { type SpokenBy, speakPlan } from '#src/narration/voice/speak-plan'
import { recordChange } from '#src/operator/audit'
import { moderateSpeech } from '#src/review/admit-speech'
import { enhanceText } from '#src/script/enhance'
import { parseScript, problemText } from '#src/script/format/parse-script'
import { type Script, stripScript } from '#src/script/format/script'
import type { Services } from '#src/services'
import { refusedField } from '#src/shape/invalid-field'
import { withWorkFolder } from '#src/storage/work-folder'
import { readNarratedVoice } from '#src/story/voice'

export type TestAudio = Pick<SpokenBy, 'provider' | 'narrator' | 'characters' | 'costUsd' | 'fallbacks'> & {
  mp3: Uint8Array<ArrayBuffer>
}

/** Tests at once. Each uses a core for a second. */
const triesAtOnce = 2
let running = 0

/**
 * Synthesizes a paragraph at once, in the same way as narrations. `voice` is `female`, `male` or a narrator. A text
 * without marks is enhanced first. Throws `invalid` ("No text provided"), `guideline_blocked`, and `throttled` while
 * other tests run.
 */
export async function testAudio(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  speech: { text: string; voice: string },
  by: string,
  signal: AbortSignal,
): Promise<TestAudio> {
  const plan = await planTest(services, speech.text, by)
  const narrator = readNarrator(services, speech.voice)
  if (running >= triesAtOnce)
    throw new AppError('throttled', 'Others are trying voices right now. Try again in a few seconds.', {
      retryAfterSeconds: 5,
    })
  running += 1
  try {
    return await withWorkFolder(services.env.dataDir, async (folder) => {
      const path = join(folder, 'test.mp3')
      const { provider, fallbacks, characters, costUsd, ...spoken } = await speakPlan(
        services.env,
        { plan, narrator, title: 'A voice is tried', path, chunks: join(folder, 'chunks'), patience: 'now' },
        { signal, progress: () => {} },
      )
      const who = { provider, narrator: spoken.narrator, characters, costUsd }
      await recordChange(services.db, by, { action: 'test_audio', subjectType: 'voice', after: who })
      return { ...who, fallbacks, mp3: await Bun.file(path).bytes() }
    })
  } finally {
    running -= 1
  }
}

export type LabEstimate = Estimate & { voice: string }

/** Estimates the cost of the same paragraph in several voices, before any money is spent. */
export async function estimateTest(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  text: string,
  voices: readonly string[],
  by: string,
): Promise<LabEstimate[]> {
  const plan = await planTest(services, text, by)
  return voices.map((voice) => ({
    voice,
    ...estimatePlan(services.env, plan, readNarrator(services, voice)),
  }))
}

async function planTest(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  source: string,
  by: string,
): Promise<SpeechPlan> {
  if (!source.trim()) throw refusedField('text', 'No text provided')
  if (source.length > testCharactersMax) {
    throw refusedField(
      'text',
      `The text has ${source.length.toLocaleString('en')} characters; ${testCharactersMax.toLocaleString('en')} are the most here. Try a paragraph.`,
    )
  }
  const script = await readTestScript(source)
  const text = stripScript(script)
  await moderateSpeech(services, { title: '', content: text, categories: [] }, by)
  const plan = await planSpeech(script, 'story')
  if (plan.sentences.length === 0) throw refusedField('text', 'There are no words to narrate in this text.')
  return plan
}

/** A script with marks stays as it is. A text without any is enhanced. */
async function readTestScript(source: string): Promise<Script> {
  const { script, problem } = parseScript(source)
  if (!script) throw refusedField('text', problemText(problem))
  return script.every(({ kind }) => kind === 'text') ? enhanceText(stripScript(script), 'story') : script
}

function readNarrator({ env }: Pick<Services, 'env'>, named: string): Narrator {
  const { voice, narratorFemale, narratorMale } = readNarratedVoice(named)
  return narratorFor(env, voice, narratorFemale ?? narratorMale ?? null)
}
