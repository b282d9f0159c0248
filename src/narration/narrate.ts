import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Executor, Transaction } from '#db/db'
import { audioFiles, jobs, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { isHeldForItsText } from '#src/guideline/holds'
import { holdLease, type LeasedJob } from '#src/job/lease'
import { priorities } from '#src/job/rules'
import { type JobHandler, RetryLater } from '#src/job/run-job'
import { storeTimings } from '#src/narration/timing/store-timings'
import { admitAudio, type StoredNarration } from '#src/narration/upload/admit-audio'
import { moderateSpeech } from '#src/review/admit-speech'
import { printScript } from '#src/script/format/print-script'
import type { Script } from '#src/script/format/script'
import { findStoredScript, makeScript } from '#src/script/make-script'
import { findScript, findText, type ItemText } from '#src/script/queries'
import { storeCarriedScript, storeMadeScript } from '#src/script/store-script'
import { sha256 } from '#src/security/keyed-hash'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { withWorkFolder } from '#src/storage/work-folder'
import { isCurrentNarration } from '#src/story/current-narrations'
import { libraryChanged } from '#src/story/library-changed'
import { countWords, type Voice, voices } from '#src/story/rules'
import { attachAudio } from './attach'
import { processPace, waitForTurn } from './background-pace'
import { renewKey } from './enqueue'
import { notifyMaker } from './notify-maker'
import { planSpeech, spokenSeconds } from './plan-speech'
import { type Narrator, narrationWordsMax, narrators, speakingBytesPerSecond } from './rules'
import { chunkPathOf } from './voice/chunk-folder'
import type { ProviderLimits } from './voice/limits'
import { type SpokenBy, speakPlan } from './voice/speak-plan'

const Payload = t.Object({ voice: oneOf(voices), narrator: t.Union([t.String(), t.Null()]) })

/** The result of a finished job: the provider, the cost, and why the preferred providers were not used. */
type NarrateResult = Pick<
  SpokenBy,
  'provider' | 'narrator' | 'characters' | 'costUsd' | 'fallbacks' | 'lufs' | 'sentences'
> & { durationSeconds: number; hash: string }
/** The result of a job whose process was killed after it had attached its narration. */
type AttachedResult = { durationSeconds: number; hash: string }

/** Synthesis is most of the work. Checking and storing the audio is the rest. */
const speakingShare = 0.97

type Needs = Pick<Services, 'db' | 'storage' | 'env' | 'secrets' | 'log'>

/**
 * Synthesizes an item in the voice of the job and makes the result its current narration, with timings. One job makes
 * one narration: a job that runs again after a crash finds the earlier one, and a worker that has lost the job attaches
 * nothing.
 */
export function narrateHandler(services: Needs, limits?: ProviderLimits): JobHandler {
  const { db, storage, env } = services
  return async (job, { signal, progress }): Promise<NarrateResult | AttachedResult> => {
    const attached = await findAttached(db, job.id)
    if (attached) return attached
    const untilTurn = turnWaiterOf(db, job, signal)
    await untilTurn?.()
    const payload = Value.Decode(Payload, job.payload)
    const { voice, narrator: named } = payload
    const story = job.storyId === null ? null : await findText(db, job.storyId)
    if (!story) throw new AppError('not_found', 'The item is gone, or was removed.')
    await requireUnheld(db, story)
    await requireNoNewer(db, job, { storyId: story.id, voice })
    const { title } = await moderateSpeech(services, story)
    requireSpeakable(story)
    const plan = await planSpeech(await scriptFor(services, job, { story, payload }, signal), story.type)
    await storage.requireRoom(Math.ceil(spokenSeconds(plan) * speakingBytesPerSecond))
    const chunks = chunkPathOf(env.dataDir, job.id)
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
          chunks,
          patience: job.attempts < job.attemptsMax ? 'wait' : 'now',
        },
        { signal, waitForTurn: untilTurn, progress: (share) => progress(share * speakingShare) },
        limits,
      )
      const staged = await storage.receive(join(folder, 'narration.mp3'))
      const { warnings, ...stored } = await admitAudio({ db, storage }, staged, 'narration.mp3')
      signal.throwIfAborted()
      const file = { ...stored, peaks }
      await attach(services, job, { story, voice, file, spoken, timings })
      await rm(chunks, { recursive: true, force: true })
      await libraryChanged(db)
      return { ...spoken, durationSeconds: file.durationSeconds, hash: file.hash }
    })
  }
}

/** Returns a function that waits until a background job may continue. Undefined for a job that a person waits for. */
function turnWaiterOf(
  db: Services['db'],
  job: LeasedJob,
  signal: AbortSignal,
): (() => Promise<void>) | undefined {
  if (job.priority < priorities.background) return undefined
  const isWanted = async () => {
    const [row] = await db.select({ priority: jobs.priority }).from(jobs).where(eq(jobs.id, job.id))
    return row !== undefined && row.priority < priorities.background
  }
  return () => waitForTurn(isWanted, processPace(signal))
}

/** The narrator of a job: the requested one, otherwise the operator's configured one for the voice. */
export function narratorFor(env: Env, voice: Voice, named: string | null): Narrator {
  const configured = voice === 'female' ? env.narratorFemale : env.narratorMale
  return narrators.find((narrator) => narrator === named) ?? configured
}

/** Throws `conflict` for a member's text that is held for review: it is not spoken until an operator has seen it. */
async function requireUnheld(db: Services['db'], story: ItemText): Promise<void> {
  if (story.source === 'user_generated' && (await isHeldForItsText(db, story)))
    throw new AppError('conflict', 'This text is held for review. It is narrated once that is done.')
}

function requireSpeakable({ content }: ItemText): void {
  const words = countWords(content)
  if (words <= narrationWordsMax) return
  throw new AppError(
    'invalid',
    `The text has ${words.toLocaleString('en')} words; ${narrationWordsMax.toLocaleString('en')} are the most for one narration. Split it into parts.`,
  )
}

/** Finds the stored script of the text, or makes one and gives the job the key of that script. */
async function scriptFor(
  services: Needs,
  job: LeasedJob,
  { story, payload }: { story: ItemText; payload: t.Static<typeof Payload> },
  signal: AbortSignal,
): Promise<Script> {
  const { db } = services
  const stored = await findScript(db, story.id, story.content)
  if (stored && !stored.isOwn) await storeCarriedScript(db, story, stored)
  const storedScript = await findStoredScript(db, story)
  if (storedScript) return storedScript.script
  const made = await makeScript(services, story, signal)
  const { script } = await storeMadeScript(db, story, made, { seen: [] })
  const spoken = { storyId: story.id, content: story.content, script: printScript(script) }
  await renewKey(db, job.id, { ...payload, ...spoken })
  return script
}

type Made = {
  story: ItemText
  voice: Voice
  file: StoredNarration
  spoken: Pick<SpokenBy, 'provider' | 'narrator' | 'characters' | 'costUsd'>
  timings: SpokenBy['timings']
}

/**
 * Attaches the narration in one transaction that locks the item, only while this worker holds the lease of the job, and
 * never over a newer narration.
 */
async function attach(services: Needs, job: LeasedJob, { story, voice, file, spoken, timings }: Made) {
  await services.db.transaction(async (tx) => {
    await holdLease(tx, job)
    await requireNoNewer(tx, job, { storyId: story.id, voice })
    await requireSameText(tx, story)
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
    await storeTimings(tx, narrationId, { ...timings, textHash: sha256(story.content), source: 'voice' })
    await notifyMaker({ ...services, db: tx }, story.id, 'ready')
  })
}

/**
 * Throws `conflict` if the current narration is newer than this job. While a job waits or runs, an operator may upload
 * a file, request another narration, or use an earlier one again. The age of a narration counts from its request,
 * however long the synthesis took, or from the time when it was chosen, if that is later.
 */
async function requireNoNewer(
  db: Executor,
  job: LeasedJob,
  { storyId, voice }: { storyId: string; voice: Voice },
): Promise<void> {
  const wishedAt = sql`greatest(
    coalesce((select created_at from jobs where id = ${narrations.jobId}), ${narrations.createdAt}),
    ${narrations.chosenAt})`
  const [newer] = await db
    .select({ id: narrations.id })
    .from(narrations)
    .where(
      and(
        isCurrentNarration(storyId, voice),
        sql`${wishedAt} > (select created_at from jobs where id = ${job.id})`,
      ),
    )
  if (newer)
    throw new AppError(
      'conflict',
      'There is a newer recording. Ask for a narration again if you want to replace it.',
    )
}

/**
 * Handles a text that changed while it was spoken. A member may share the text, so a member's item is spoken again at
 * once. For a library item it throws `conflict`: an operator decides whether to pay for another narration.
 */
async function requireSameText(tx: Transaction, { id, source, content }: ItemText): Promise<void> {
  const [now] = await tx.select({ content: stories.content }).from(stories).where(eq(stories.id, id))
  if (!now || now.content === content) return
  if (source === 'user_generated') throw new RetryLater(0)
  throw new AppError('conflict', 'The text was changed while it was being spoken. Ask for a narration again.')
}

async function findAttached(db: Services['db'], jobId: string): Promise<AttachedResult | null> {
  const [made] = await db
    .select({ hash: narrations.audioHash, durationSeconds: audioFiles.durationSeconds })
    .from(narrations)
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(eq(narrations.jobId, jobId))
  return made ?? null
}
