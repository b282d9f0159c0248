import { sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import {
  challengeEnrolments,
  challenges,
  drafts,
  episodeNumbers,
  feedTokens,
  guidelineDecisions,
  identities,
  jobs,
  narrationTimings,
  openings,
  passkeys,
  removedComments,
  reports,
  scripts,
  signInAttempts,
  storyFeedback,
  trainingData,
  userSettings,
  votes,
} from '#db/schema'
import { event, listening, sendEvents } from '#src/analytics/testing'
import { suspendMember } from '#src/member/console/suspend'
import { makeMailToken } from '#src/member/email/mail-token'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { actorOf } from '#src/personal-data/existing-member'
import { sha256 } from '#src/security/keyed-hash'
import type { App } from '#src/server/app'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import { type Browser, browser, publishTestItem } from '#src/testing/app'

/** A browser's keys, from the example of RFC 8291 §5. */
const browserKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

export type BusyMember = {
  id: string
  email: string
  who: Browser
  itemId: string
  file: AudioFile
  liked: string
}

/** A member with rows in every table that can hold personal data. */
export async function busyMember(
  app: App,
  services: Services,
  name: string,
  hertz = 220,
): Promise<BusyMember> {
  const { db } = services
  const email = `${name}@example.com`
  const who = browser(app, `10.77.0.${hertz % 250}`)
  const liked = await publishTestItem(services)
  await sendEvents(who, listening(liked.id, 0.5, 60))
  const password = 'lanterns on the water'
  await who.call('/api/beta-signup', { json: { email } })
  const { user } = await who.json('/api/auth/register', { json: { email, password, firstName: name } })
  const id: string = user.id
  await sendEvents(who, [event()])

  await who.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${liked.id}` } })
  for (const lastPositionSec of [1, 20, 40, 60])
    await who.call('/api/analytics/progress', {
      json: {
        contentId: liked.id,
        contentType: 'story',
        lastPositionSec,
        totalSec: 600,
        deviceId: 'phone-of-hers',
        sequence: lastPositionSec,
        lastUpdatedAt: new Date(Date.now() - 600_000 + lastPositionSec * 1_000).toISOString(),
      },
    })
  const draft = { title: `The Pier of ${name}`, content: 'They sat on the pier.', categories: ['romantic'] }
  const once = { 'idempotency-key': `the pier of ${name}`.replaceAll(' ', '-') }
  const { id: itemId } = await who.json('/api/user/content', { json: draft, headers: once })
  const file = await narrate(services, itemId, hertz)
  await fillTheRest(services, { id, email, liked: liked.id, itemId })
  await suspendMember(db, id, 'A mix-up', 'Ada')
  await db.execute(sql`update users set suspended_at = null, suspension_reason = null where id = ${id}::uuid`)
  await who.call('/api/auth/login', { json: { email, password } })
  await db.insert(signInAttempts).values({
    tokenHash: sha256(id),
    kind: 'google',
    userId: id,
    secret: { state: 'a state' },
    expiresAt: new Date(Date.now() + 60_000),
  })
  await who.call('/api/user/push', {
    json: { endpoint: `https://push.example.com/${id}`, keys: browserKeys },
  })
  return { id, email, who, itemId, file, liked: liked.id }
}

/** Lists the tables of the database with a row that contains one of the texts, in any column. */
export async function tablesWith(db: Executor, ...texts: string[]): Promise<string[]> {
  const tables = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.execute(sql`
      select 1 from ${sql.identifier(name)} as one
      where one::text ilike any(${`{${texts.map((text) => `"%${text}%"`).join(',')}}`}::text[]) limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function narrate({ db, storage }: Services, storyId: string, hertz: number): Promise<AudioFile> {
  const mp3 = await toneMp3(1, hertz)
  const staged = await storage.receive(
    (async function* () {
      yield mp3
    })(),
  )
  const file = await storage.commit(staged, 'mp3')
  const { narrationId } = await attachAudio(db, {
    storyId,
    voice: 'female',
    file: { ...file, sizeBytes: staged.sizeBytes, durationSeconds: 1 },
    provider: 'built-in',
  })
  await db
    .insert(narrationTimings)
    .values({ narrationId, textHash: 'a', source: 'voice', sentences: [0], words: [0] })
  await db.insert(episodeNumbers).values({ storyId })
  await db.insert(scripts).values({ storyId, textHash: 'a', script: 'They sat.', madeBy: 'built-in' })
  return file
}

/** Inserts rows that no call creates yet, or not quickly. */
async function fillTheRest(
  { db }: Services,
  { id: userId, email, liked, itemId }: { id: string; email: string; liked: string; itemId: string },
): Promise<void> {
  await db.insert(votes).values({ userId, storyId: liked, voteType: 'up' })
  const [comment] = await db.insert(storyFeedback).values({ userId, storyId: liked, rating: 5 }).returning()
  if (comment) await db.insert(removedComments).values({ feedbackId: comment.id, comments: 'A quiet one.' })
  await db.insert(userSettings).values({ userId, theme: 'paper' }).onConflictDoNothing()
  await db.insert(reports).values({ storyId: liked, flagType: 'other', flaggedBy: userId })
  await db.insert(openings).values({ readerId: userId, storyId: liked })
  await db
    .insert(jobs)
    .values({ kind: 'narrate', dedupeKey: newId(), storyId: itemId, payload: {}, state: 'done' })
  await db.insert(feedTokens).values({ userId, tokenHash: sha256(`feed of ${userId}`) })
  await makeMailToken(db, 'reset', { userId, email }, 60)
  await db.insert(identities).values({ userId, provider: 'google', subject: newId(), email })
  await db.insert(passkeys).values({
    userId,
    name: 'A phone',
    credentialId: `credential ${userId}`,
    publicKey: 'a public key',
    counter: 0,
    isBackedUp: true,
  })
  const [template] = await db.insert(trainingData).values({ promptTemplate: 'A walk' }).returning()
  const [challenge] = await db.insert(challenges).values({ name: 'Ten Breaths', totalDays: 10 }).returning()
  if (!template || !challenge) throw new Error('An insert answered no row.')
  await db.insert(drafts).values({ userId, templateId: template.id })
  await db.insert(challengeEnrolments).values({ userId, challengeId: challenge.id, startedOn: '2026-11-01' })
  await db.insert(guidelineDecisions).values({
    actor: actorOf(userId),
    source: 'create',
    storyId: itemId,
    ruleId: 'built-in:x',
    ruleVersion: 1,
    severity: 'low',
    decision: 'warned',
    places: [],
    textHash: 'a',
  })
}
