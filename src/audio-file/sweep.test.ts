import { expect, test } from 'bun:test'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { audioFiles, narrations } from '#db/schema'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { admitAudio } from '#src/narration/upload/admit-audio'
import { createLog } from '#src/process/log'
import type { AudioFile } from '#src/storage/audio-file'
import { publishTestItem, testApp } from '#src/testing/app'
import { sweepAudio } from './sweep'

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
  return admitAudio(storage, staged, 'tone.mp3')
}
const placeOf = ({ hash, extension }: AudioFile) =>
  join(env.dataDir, 'audio', hash.slice(0, 2), `${hash}.${extension}`)
const age = (path: string) => utimes(path, hoursAgo, hoursAgo)

test('rows and files agree again, and what is young or heard is left alone', async () => {
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
  await db.update(audioFiles).set({ createdAt: sql`now() - interval '2 hours'` })
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
  expect(await sweepAudio({ db, storage, env, log })).toEqual({ temporary: 2, rows: 1, files: 2, missing: 1 })
  const left = (await Array.fromAsync(storage.list())).map(({ hash }) => hash)
  expect(left.sort()).toEqual([heard.hash, young.hash].sort())
  expect(lines.filter((line) => line.includes('audio is missing'))).toHaveLength(1)
  expect(lines.join()).toContain(lost.hash)
  expect(await sweepAudio({ db, storage, env, log })).toEqual({ temporary: 0, rows: 0, files: 0, missing: 1 })
})
