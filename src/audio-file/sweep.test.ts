import { describe, expect, test } from 'bun:test'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { audioLeases, jobs, narrations } from '#db/schema'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { admitAudio } from '#src/narration/upload/admit-audio'
import { createLog } from '#src/process/log'
import type { AudioFile } from '#src/storage/audio-file'
import { publishTestItem, testApp } from '#src/testing/app'
import { isLockAwaited } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'
import { startSweeping } from './start'
import { sweepAudio, sweepTemporary } from './sweep'

const { services } = await testApp()
const { db, storage, env } = services
const hoursAgo = new Date(Date.now() - 2 * 3_600_000)

async function admit(hertz: number) {
  const bytes = await toneMp3(1, hertz)
  const staged = await storage.receive(
    (async function* () {
      yield bytes
    })(),
  )
  return admitAudio({ db, storage }, staged, 'tone.mp3')
}
const placeOf = ({ hash, extension }: AudioFile) =>
  join(env.dataDir, 'audio', hash.slice(0, 2), `${hash}.${extension}`)
const age = (path: string) => utimes(path, hoursAgo, hoursAgo)

/** Expires all leases, as after a day. */
const endLeases = () => db.update(audioLeases).set({ leasedUntil: sql`now() - interval '1 minute'` })

test('the sweep removes orphaned rows and files, and leaves recent and attached ones', async () => {
  const { id: storyId } = await publishTestItem(services)
  const heard = await admit(200)
  const lost = await admit(300)
  const undone = await admit(400)
  const orphan = await admit(500)
  const young = await admit(600)
  await attachAudio(db, { storyId, voice: 'female', file: heard, provider: 'upload' })
  await attachAudio(db, { storyId, voice: 'male', file: lost, provider: 'upload' })
  await attachAudio(db, { storyId, voice: 'male', file: undone, provider: 'upload' })
  await db.delete(narrations).where(eq(narrations.audioHash, undone.hash))
  await endLeases()
  for (const file of [heard, undone, orphan]) await age(placeOf(file))
  await storage.remove(lost)
  await age(
    (
      await storage.receive(
        (async function* () {
          yield new Uint8Array(9)
        })(),
      )
    ).path,
  )
  const work = join(env.dataDir, 'speaking', 'job-killed')
  await mkdir(work, { recursive: true })
  await writeFile(join(work, 'narration.mp3.pcm'), 'x')
  await age(join(work, 'narration.mp3.pcm'))
  await age(work)
  await mkdir(join(env.dataDir, 'speaking', 'job-running'))

  const lines: string[] = []
  const log = createLog('info', (line) => void lines.push(line))
  expect(await sweepTemporary(services)).toBe(2)
  expect(await sweepAudio({ db, storage, log })).toEqual({ rows: 1, files: 2, missing: 1 })
  const left = (await Array.fromAsync(storage.list())).map(({ hash }) => hash)
  expect(left.sort()).toEqual([heard.hash, young.hash].sort())
  expect(lines.filter((line) => line.includes('audio is missing'))).toHaveLength(1)
  expect(lines.join()).toContain(lost.hash)
  expect(await sweepAudio({ db, storage, log })).toEqual({ rows: 0, files: 0, missing: 1 })
  expect(await db.$count(audioLeases)).toBe(0)
})

describe('audio that is being attached', () => {
  const log = createLog('error', () => {})

  test('is not swept until its lease expires', async () => {
    const file = await admit(700)
    await age(placeOf(file))
    expect(await sweepAudio({ db, storage, log })).toMatchObject({ files: 0 })
    await endLeases()
    expect(await sweepAudio({ db, storage, log })).toMatchObject({ files: 1 })
    expect(await storage.find(file)).toBeNull()
  })

  test('survives a concurrent sweep of the same audio', async () => {
    const { id: storyId } = await publishTestItem(services)
    const orphan = await admit(800)
    await age(placeOf(orphan))
    await endLeases()
    const removing = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const slow = {
      ...storage,
      async remove(file: AudioFile) {
        removing.resolve()
        await released.promise
        await storage.remove(file)
      },
    }
    const swept = sweepAudio({ db, storage: slow, log })
    await removing.promise
    const attached = admit(800).then((file) =>
      attachAudio(db, { storyId, voice: 'female', file, provider: 'upload' }),
    )
    await until(() => isLockAwaited(db))
    released.resolve()
    expect(await swept).toMatchObject({ files: 1 })
    expect(await attached).toMatchObject({ isNew: true })
    expect(await storage.find(orphan)).not.toBeNull()
    expect(await sweepAudio({ db, storage, log })).toMatchObject({ rows: 0, files: 0 })
  })
})

test('only one instance sweeps at a time', async () => {
  const works = [startSweeping(services), startSweeping(services), startSweeping(services)]
  await until(async () => (await db.$count(jobs, and(eq(jobs.kind, 'sweep'), eq(jobs.state, 'done')))) > 0)
  await Promise.all(works.map((work) => work.stop()))
  // An instance that queues the job after another has finished it sweeps once more, so only overlapping jobs are
  // counted.
  const atOnce = await db.execute(sql`
    select from jobs as one join jobs as other on one.id < other.id and one.kind = 'sweep' and other.kind = 'sweep'
      and one.started_at < coalesce(other.finished_at, now()) and other.started_at < coalesce(one.finished_at, now())`)
  expect(atOnce).toHaveLength(0)
})
