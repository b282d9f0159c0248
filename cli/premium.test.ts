import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditLog, narrations } from '#db/schema'
import { toneMp3 } from '#src/narration/testing'
import { publish } from '#src/story/publish'

const { db, folder, run, json } = await testTerminal()
const { id } = await publish(db, {
  title: 'The Night Ferry',
  content: 'The last boat left at ten. Nobody minded the rain.',
  categories: ['romantic'],
})
const mp3 = join(folder, 'ferry.mp3')
await Bun.write(mp3, await toneMp3(9))
await Bun.write(join(folder, 'ferry.vtt'), [
  'WEBVTT\n\n00:00.300 --> 00:02.100\nThe last boat left at ten.\n\n',
  '00:03.000 --> 00:05.000\nNobody minded the rain.\n',
])
await Bun.write(join(folder, 'text.mp3'), 'This is no audio.')

test('an uploaded MP3 becomes the narration of a voice, and a VTT file adds its timings', async () => {
  expect(await json('premium', 'attach-audio', 'the-night-ferry', mp3, '--voice', 'adam')).toMatchObject({
    filename: 'ferry.mp3',
    audioUrl: `/api/premium-audio/${id}/male`,
  })
  expect(await db.select().from(narrations)).toMatchObject([
    { storyId: id, voice: 'male', narrator: 'adam', provider: 'upload', fileName: 'ferry.mp3' },
  ])
  const timed = ['premium', 'attach-timings', 'the-night-ferry', 'ferry.vtt']
  expect(await run(...timed, '--voice', 'male')).toMatchObject({
    code: 0,
    out: '2 sentences; 10 of 10 words matched.\n',
  })
  expect(await run(...timed)).toMatchObject({
    code: 1,
    err: 'There is no such narration. Upload the audio first.\n',
  })
  const deeds = (await db.select().from(auditLog)).map(({ actor, action }) => [actor.slice(0, 4), action])
  expect(deeds).toEqual([
    ['cli:', 'upload_audio'],
    ['cli:', 'upload_timings'],
  ])
})

test('attach-audio rejects a file without audio, an unknown voice or item, and a missing file', async () => {
  const attach = (...words: string[]) => run('premium', 'attach-audio', ...words)
  expect(await attach('the-night-ferry', 'text.mp3')).toMatchObject({ code: 1, out: '' })
  expect((await attach('the-night-ferry', mp3, '--voice', 'odd')).err).toStartWith('Voice must be female')
  expect((await attach('no-such-item', mp3)).code).toBe(1)
  expect((await attach('the-night-ferry', 'nowhere.mp3')).code).toBe(2)
  expect((await attach('the-night-ferry')).code).toBe(2)
})

test('voices estimate prices a paragraph, and voices test narrates it', async () => {
  await Bun.write(join(folder, 'lamp.txt'), 'She lit the lamp.')
  expect(await json('voices', 'estimate', 'lamp.txt', '--voices', 'rachel,adam')).toMatchObject([
    { voice: 'rachel', provider: 'built-in', costUsd: 0 },
    { voice: 'adam' },
  ])
  const out = join(folder, 'lamp.mp3')
  expect(await json('voices', 'test', 'lamp.txt', '--out', out)).toMatchObject({
    file: out,
    narrator: 'rachel',
  })
  expect(Bun.file(out).size).toBeGreaterThan(1_000)
  await Bun.write(join(folder, 'empty.txt'), ' ')
  expect(await run('voices', 'test', 'empty.txt')).toMatchObject({ code: 1, err: 'No text provided\n' })
  expect((await run('voices', 'estimate', 'nowhere.txt')).code).toBe(2)
})

test('an earlier narration is listed and restored', async () => {
  await Bun.write(join(folder, 'rain.mp3'), await toneMp3(4))
  await run('premium', 'attach-audio', 'the-night-ferry', 'rain.mp3', '--voice', 'male')
  expect(await json('premium', 'narrations', 'the-night-ferry')).toMatchObject([
    { fileName: 'rain.mp3', isCurrent: true },
    { fileName: 'ferry.mp3', isCurrent: false },
  ])
  const [earlier] = await db.select().from(narrations).where(eq(narrations.fileName, 'ferry.mp3'))
  const restore = (narration = '') => run('premium', 'restore-narration', 'the-night-ferry', narration)
  expect(await restore(earlier?.id)).toMatchObject({ code: 0, out: 'In use again (male)\n' })
  expect((await run('premium', 'narrations', 'the-night-ferry')).out).toMatch(/ current .* 0:09 +ferry\.mp3/)
  expect(await restore('nope')).toMatchObject({ code: 1, err: 'There is no such narration of this item.\n' })
})
