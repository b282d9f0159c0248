import { join } from 'node:path'
import { recordChange } from '#src/operator/audit'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { enhanceText } from '#src/script/enhance'
import { parseScript, problemText } from '#src/script/parse-script'
import { type Script, stripScript } from '#src/script/script'
import { readNarratedVoice } from '#src/story/voice'
import { admitSpeech } from './admit-speech'
import { type Estimate, estimatePlan } from './estimate'
import { narratorFor } from './narrate'
import { planSpeech, type SpeechPlan } from './plan-speech'
import { type Narrator, testCharactersMax } from './rules'
import { type SpokenBy, speakPlan } from './voice/speak-plan'
import { withWorkFolder } from './work-folder'

export type TestAudio = Pick<SpokenBy, 'provider' | 'narrator' | 'characters' | 'costUsd' | 'fallbacks'> & {
  mp3: Uint8Array<ArrayBuffer>
}

/** A try takes a core for a second: two at once leave the others to those who listen. */
const triesAtOnce = 2
let running = 0

/**
 * Speaks a paragraph at once, the way that narrations are spoken; `voice` is `female`, `male` or a narrator.
 * A text without marks is enhanced first. Throws `invalid` ("No text provided"), `guideline_blocked`, and
 * `throttled` while others try.
 */
export async function testAudio(
  parts: Pick<Parts, 'db' | 'env' | 'log'>,
  wish: { text: string; voice: string },
  by: string,
  signal: AbortSignal,
): Promise<TestAudio> {
  const plan = await planTest(parts, wish.text, by)
  const narrator = readNarrator(parts, wish.voice)
  if (running >= triesAtOnce)
    throw new Refusal('throttled', 'Others are trying voices at this moment. Try again in a few seconds.', {
      retryAfterSeconds: 5,
    })
  running += 1
  try {
    return await withWorkFolder(parts.env.dataDir, async (folder) => {
      const path = join(folder, 'test.mp3')
      const { provider, fallbacks, characters, costUsd, ...spoken } = await speakPlan(
        parts.env,
        { plan, narrator, title: 'A voice is tried', path, patience: 'now' },
        { signal, progress: () => {} },
      )
      const who = { provider, narrator: spoken.narrator, characters, costUsd }
      await recordChange(parts.db, by, { action: 'test_audio', subjectType: 'voice', after: who })
      return { ...who, fallbacks, mp3: await Bun.file(path).bytes() }
    })
  } finally {
    running -= 1
  }
}

export type LabEstimate = Estimate & { voice: string }

/** What the same paragraph would cost in each of several voices, before anything is spent. */
export async function estimateTest(
  parts: Pick<Parts, 'db' | 'env' | 'log'>,
  text: string,
  voices: readonly string[],
  by: string,
): Promise<LabEstimate[]> {
  const plan = await planTest(parts, text, by)
  return voices.map((voice) => ({ voice, ...estimatePlan(parts.env, plan, readNarrator(parts, voice)) }))
}

async function planTest(
  parts: Pick<Parts, 'db' | 'env' | 'log'>,
  source: string,
  by: string,
): Promise<SpeechPlan> {
  if (!source.trim()) throw invalid('No text provided')
  if (source.length > testCharactersMax) {
    throw invalid(
      `The text has ${source.length.toLocaleString('en')} characters; ${testCharactersMax.toLocaleString('en')} are the most here. Try a paragraph.`,
    )
  }
  const script = readTestScript(source)
  const text = stripScript(script)
  await admitSpeech(parts, { title: '', content: text, categories: [] }, by)
  const plan = planSpeech(script, 'story')
  if (plan.sentences.length === 0) throw invalid('There are no words to speak in this text.')
  return plan
}

/** Marks that somebody wrote are kept as they are; a text without any is enhanced. */
function readTestScript(source: string): Script {
  const { script, problem } = parseScript(source)
  if (!script) throw invalid(problemText(problem))
  return script.every(({ kind }) => kind === 'text') ? enhanceText(stripScript(script), 'story') : script
}

function readNarrator({ env }: Pick<Parts, 'env'>, named: string): Narrator {
  const { voice, narratorFemale, narratorMale } = readNarratedVoice(named)
  return narratorFor(env, voice, narratorFemale ?? narratorMale ?? null)
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', message, { fields: [{ path: 'text', message }] })
}
