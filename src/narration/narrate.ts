import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import { audioFiles, narrations } from '#db/schema'
import type { Env } from '#src/env'
import { holdLease, type LeasedJob } from '#src/job/lease'
import type { JobHandler } from '#src/job/worker'
import { sha256 } from '#src/keyed-hash'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { keepScript } from '#src/script/keep-script'
import { keptScript, makeScript } from '#src/script/make-script'
import { findText, type ItemText } from '#src/script/queries'
import type { Script } from '#src/script/script'
import { libraryChanged } from '#src/story/library-changed'
import { countWords, type Voice, voices } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { admitAudio, type StoredNarration } from './admit-audio'
import { admitSpeech } from './admit-speech'
import { attachAudio } from './attach'
import { keepTimings } from './keep-timings'
import { planSpeech } from './plan-speech'
import { type Narrator, narrationWordsMax, narrators } from './rules'
import { tellMaker } from './tell-maker'
import type { ProviderLimits } from './voice/limits'
import { type SpokenBy, speakPlan } from './voice/speak-plan'
import { withWorkFolder } from './work-folder'

const Payload = t.Object({ voice: oneOf(voices), narrator: t.Union([t.String(), t.Null()]) })

/** What the row of a finished job keeps: who spoke, for how much, and why nobody better did. */
export type NarrateResult = Pick<
  SpokenBy,
  'provider' | 'narrator' | 'characters' | 'costUsd' | 'fallbacks' | 'lufs' | 'sentences'
> & { durationSeconds: number; hash: string }
/** What a job answers that had attached its narration when its process was killed. */
type Remade = { durationSeconds: number; hash: string }

/** Speaking is most of the work; checking and storing what was spoken the rest. */
const speakingShare = 0.97

type Needs = Pick<Parts, 'db' | 'storage' | 'env' | 'secrets' | 'log'>

/**
 * Speaks an item in the voice of the job and makes that its current narration, with its timings. One job makes
 * one narration: run again after a crash, it finds what it made, and a worker that has lost the job attaches
 * nothing.
 */
export function narrateHandler(parts: Needs, limits?: ProviderLimits): JobHandler {
  const { db, storage, env } = parts
  return async (job, { signal, progress }): Promise<NarrateResult | Remade> => {
    const made = await findMade(db, job.id)
    if (made) return made
    const { voice, narrator: named } = Value.Decode(Payload, job.payload)
    const story = job.storyId === null ? null : await findText(db, job.storyId)
    if (!story) throw new Refusal('not_found', 'The item is gone, or was removed.')
    const { title } = await admitSpeech(parts, story)
    requireSpeakable(story)
    const plan = planSpeech(await scriptFor(parts, story, signal), story.type)
    return withWorkFolder(env.dataDir, async (folder) => {
      const {
        peaks,
        timings,
        durationSeconds: _,
        ...spoken
      } = await speakPlan(
        env,
        {
          plan,
          title,
          narrator: narratorFor(env, voice, named),
          path: join(folder, 'narration.mp3'),
          patience: job.attempts < job.attemptsMax ? 'wait' : 'now',
        },
        { signal, progress: (share) => progress(share * speakingShare) },
        limits,
      )
      const staged = await storage.receive(join(folder, 'narration.mp3'))
      const { warnings, ...stored } = await admitAudio(storage, staged, 'narration.mp3')
      signal.throwIfAborted()
      const file = { ...stored, peaks }
      await attach(parts, job, { story, voice, file, spoken, timings })
      await libraryChanged(db)
      return { ...spoken, durationSeconds: file.durationSeconds, hash: file.hash }
    })
  }
}

/** The narrator of a job: the one it names, or whom the operator has configured for the voice. */
export function narratorFor(env: Env, voice: Voice, named: string | null): Narrator {
  const configured = voice === 'female' ? env.narratorFemale : env.narratorMale
  return narrators.find((narrator) => narrator === named) ?? configured
}

function requireSpeakable({ content }: ItemText): void {
  const words = countWords(content)
  if (words <= narrationWordsMax) return
  throw new Refusal(
    'invalid',
    `The text has ${words.toLocaleString('en')} words; ${narrationWordsMax.toLocaleString('en')} are the most for one narration. Cut it into parts.`,
  )
}

async function scriptFor(parts: Needs, story: ItemText, signal: AbortSignal): Promise<Script> {
  const kept = await keptScript(parts.db, story)
  if (kept) return kept.script
  const { script, madeBy } = await makeScript(parts, story, signal)
  await keepScript(parts.db, story.id, story.content, script, madeBy)
  return script
}

type Made = {
  story: ItemText
  voice: Voice
  file: StoredNarration
  spoken: Pick<SpokenBy, 'provider' | 'narrator' | 'characters' | 'costUsd'>
  timings: SpokenBy['timings']
}

/** In one transaction, and only while the job is ours: two that speak the same never attach both. */
async function attach(parts: Needs, job: LeasedJob, { story, voice, file, spoken, timings }: Made) {
  await parts.db.transaction(async (tx) => {
    await holdLease(tx, job)
    const { narrationId } = await attachAudio(tx, {
      storyId: story.id,
      voice,
      file,
      provider: spoken.provider,
      narrator: spoken.narrator,
      jobId: job.id,
      spokenCharacters: spoken.characters,
      costUsd: spoken.costUsd,
    })
    await keepTimings(tx, narrationId, { ...timings, textHash: sha256(story.content), source: 'voice' })
    await tellMaker({ ...parts, db: tx }, story.id, 'ready')
  })
}

async function findMade(db: Parts['db'], jobId: string): Promise<Remade | null> {
  const [made] = await db
    .select({ hash: narrations.audioHash, durationSeconds: audioFiles.durationSeconds })
    .from(narrations)
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(eq(narrations.jobId, jobId))
  return made ?? null
}
