import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AudioExtension } from '#src/narration/rules'
import { m4aOf, mp4Box, toneMp3, toneWav, words } from '#src/narration/testing'
import { withFileWindow } from '#src/storage/file-window'
import { checkAudio } from './check-audio'
import { cutAudio } from './cut-audio'

/** The first `seconds` of a file, as a file of its own. */
async function cut(bytes: Uint8Array, extension: AudioExtension, seconds: number): Promise<Uint8Array> {
  const made = await inFile(bytes, (path) =>
    withFileWindow(path, (file) => cutAudio(file, extension, seconds)),
  )
  if (!made) throw new Error('Nothing was cut.')
  return made
}

async function inFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nocturne-cut-'))
  try {
    const path = join(folder, 'audio')
    await Bun.write(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const measure = (bytes: Uint8Array, extension: AudioExtension) =>
  inFile(bytes, (path) => checkAudio(path, `moon.${extension}`))
const files = { mp3: await toneMp3(20), wav: toneWav(20), m4a: m4aOf(20) }

for (const [extension, whole] of Object.entries(files) as [AudioExtension, Uint8Array][]) {
  test(`cutting a file (${extension}) gives a valid file of just those seconds`, async () => {
    const part = await cut(whole, extension, 5)
    const { durationSeconds, warnings } = await measure(part, extension)
    expect(warnings).toEqual([])
    expect(durationSeconds).toBeGreaterThanOrEqual(4.95)
    expect(durationSeconds).toBeLessThan(5.1)
    expect(part.byteLength).toBeLessThan(whole.byteLength / 3)
  })

  test(`cutting a file (${extension}) beyond its end gives the whole file`, async () => {
    const { durationSeconds } = await measure(await cut(whole, extension, 60), extension)
    expect(durationSeconds).toBeGreaterThan(19.9)
  })
}

test('cutting an M4A takes its samples in the order of its chunks, not of the file', async () => {
  const sizes = [3, 1, 4, 1, 5, 9]
  const sample = (at: number) => new Uint8Array(sizes[at] ?? 0).fill(at + 1)
  // Two chunks of two samples, then a chunk of the other two. The second chunk is before the first in the file.
  const chunks = [
    [2, 3],
    [0, 1],
    [4, 5],
  ].map((each) => Buffer.concat(each.map(sample)))
  const entry = Buffer.alloc(28)
  const table = (from: number) =>
    mp4Box(
      'stbl',
      mp4Box('stsd', words(0, 1), mp4Box('Opus', entry)),
      mp4Box('stts', words(0, 2, 2, 500, 4, 1_000)),
      mp4Box('stsc', words(0, 1, 1, 2, 1)),
      mp4Box('stsz', words(0, 0, 6, ...sizes)),
      mp4Box('co64', words(0, 3, 0, from + 5, 0, from, 0, from + 9)),
    )
  const movie = (from: number) =>
    mp4Box(
      'moov',
      mp4Box(
        'trak',
        mp4Box(
          'mdia',
          mp4Box('mdhd', words(0, 0, 0, 1_000, 5_000, 0)),
          mp4Box('hdlr', words(0, 0), Buffer.from('soun'), words(0, 0, 0)),
          mp4Box('minf', table(from)),
        ),
      ),
    )
  const whole = Buffer.concat([movie(movie(0).byteLength + 8), mp4Box('mdat', ...chunks)])
  // Two samples of half a second and two of a second.
  const part = Buffer.from(await cut(whole, 'm4a', 3))
  expect([...part.subarray(part.indexOf('mdat') + 4)]).toEqual([
    ...sample(0),
    ...sample(1),
    ...sample(2),
    ...sample(3),
  ])
  expect((await measure(part, 'm4a')).durationSeconds).toBe(3)
})
