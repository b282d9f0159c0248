import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '#src/refusal'
import { checkAudio } from './check-audio'
import { m4aOf, mp4Box, toneMp3, toneWav, wavHead, words } from './testing'

let dir = ''
let mp3: Uint8Array = new Uint8Array()
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nocturne-check-'))
  mp3 = await toneMp3(10)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function check(content: Uint8Array | string, name = 'moon.mp3') {
  const path = join(dir, crypto.randomUUID())
  await writeFile(path, content)
  return checkAudio(path, name)
}

async function refusal(content: Uint8Array | string, name?: string): Promise<string> {
  const error = await check(content, name).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw new Error(`Expected a refusal, got ${error}`)
  expect(error.code).toBe('invalid')
  return error.message
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const join2 = (...parts: (Uint8Array | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const zip = join2('PK\x03\x04\x14\0\0\0\0\0', random(3_000))
/** A tag whose size stands in four bytes of seven bits. */
const id3 = (sizeBytes: number) =>
  join2(
    'ID3\x04\0\0',
    Uint8Array.of(sizeBytes >> 21, (sizeBytes >> 14) & 127, (sizeBytes >> 7) & 127, sizeBytes & 127),
  )

describe('audio is measured', () => {
  test('an MP3 by its frames', async () => {
    const checked = await check(mp3)
    expect(checked).toMatchObject({ extension: 'mp3', sampleRateHz: 44_100, channels: 1, warnings: [] })
    expect(checked.durationSeconds).toBeCloseTo(10, 0)
  })

  test('an MP3 between tags, whatever they hold', async () => {
    const plain = await check(mp3)
    const ape = join2('APETAGEX', Buffer.from(words(0xd0070000, 0x64000000, 0, 0, 0, 0)), random(100))
    const tagged = await check(join2(id3(70_000), random(70_000), mp3, ape, `TAG${'x'.repeat(125)}`))
    expect(tagged.durationSeconds).toBe(plain.durationSeconds)
  })

  test('an MP3 with a scratch in it, without what is lost', async () => {
    const scratched = join2(mp3.subarray(0, 40_000), random(500), mp3.subarray(40_500))
    const { durationSeconds } = await check(scratched)
    expect(durationSeconds).toBeGreaterThan(9.8)
    expect(durationSeconds).toBeLessThan(10.2)
  })

  test('a WAV by its data', async () => {
    expect(await check(toneWav(3), 'moon.WAV')).toMatchObject({
      extension: 'wav',
      durationSeconds: 3,
      warnings: [],
    })
  })

  test('a WAV written into a pipe by what is there, with a warning', async () => {
    const piped = join2(wavHead(0xffffffff), new Uint8Array(88_200))
    const { durationSeconds, warnings } = await check(piped, 'moon.wav')
    expect(durationSeconds).toBe(1)
    expect(warnings).toHaveLength(1)
  })

  test('an M4A by its samples', async () => {
    const { durationSeconds, extension } = await check(m4aOf(30), 'moon.m4a')
    expect(extension).toBe('m4a')
    expect(durationSeconds).toBeCloseTo(30, 1)
  })
})

describe('what is not audio is refused with its name and a mend', () => {
  const again = 'Export it again as MP3, WAV or M4A.'
  const hostile: [what: string, content: Uint8Array | string, message: string][] = [
    [
      'a Windows program',
      join2('MZ\x90\0', random(5_000)),
      `moon.mp3 is not an MP3: its content is a Windows program. ${again}`,
    ],
    [
      'a Linux program',
      join2('\x7fELF\x02\x01\x01', random(5_000)),
      `moon.mp3 is not an MP3: its content is a Linux program. ${again}`,
    ],
    [
      'a web page',
      '<!DOCTYPE html><html><script>alert(1)</script></html>',
      `moon.mp3 is not an MP3: its content is a web page. ${again}`,
    ],
    [
      'text',
      'Once upon a time there was a moon.\n'.repeat(500),
      `moon.mp3 is not an MP3: its content is plain text. ${again}`,
    ],
    ['a script', '#!/bin/sh\nrm -rf /\n', `moon.mp3 is not an MP3: its content is a script. ${again}`],
    ['an archive', zip, `moon.mp3 is not an MP3: its content is a ZIP archive. ${again}`],
    ['a picture', join2('\x89PNG\r\n\x1a\n', words(13), 'IHDR', random(3_000)), ''],
    ['a PDF', `%PDF-1.7\n${'x'.repeat(2_000)}`, `moon.mp3 is not an MP3: its content is a PDF. ${again}`],
    ['nothing', '', 'moon.mp3 is empty. Choose the file again.'],
    ['one byte', 'x', ''],
    ['zeros', new Uint8Array(100_000), ''],
    ['random bytes', random(300_000), ''],
    ['bytes of ones only', new Uint8Array(100_000).fill(0xff), ''],
    [
      'frame headers without frames',
      Uint8Array.from({ length: 90_000 }, (_, at) => [0xff, 0xfb, 0x90, 0][at % 4] ?? 0),
      '',
    ],
    ['a tag and nothing else', join2(id3(50), random(50)), ''],
    ['a tag that claims 256 MB', join2(id3(268_435_455), random(5_000)), ''],
    ['a tag before a program', join2(id3(50), random(50), 'MZ\x90\0', random(30_000)), ''],
    ['tags without end', Buffer.concat(Array.from({ length: 20_000 }, () => id3(0))), ''],
    [
      'an MPEG of layer 2',
      Uint8Array.from({ length: 41_700 }, (_, at) => [0xff, 0xfd, 0x80, 0xc0][at % 417] ?? 0),
      '',
    ],
    [
      'a WAV',
      toneWav(1),
      'moon.mp3 is not an MP3: its content is a WAV. Name it .wav, or export it again as MP3.',
    ],
    [
      'an M4A',
      m4aOf(2),
      'moon.mp3 is not an MP3: its content is an M4A. Name it .m4a, or export it again as MP3.',
    ],
  ]
  for (const [what, content, message] of hostile) {
    test(`${what} named .mp3`, async () => {
      const said = await refusal(content)
      expect(said).toStartWith('moon.mp3 ')
      if (message) expect(said).toBe(message)
    })
    test(`${what} named .wav and .m4a`, async () => {
      if (what !== 'a WAV') expect(await refusal(content, 'moon.wav')).toStartWith('moon.wav ')
      if (what !== 'an M4A') expect(await refusal(content, 'moon.m4a')).toStartWith('moon.m4a ')
    })
  }

  test('an MP3 named .wav or .m4a', async () => {
    expect(await refusal(mp3, 'moon.wav')).toBe(
      'moon.wav is not a WAV: its content is an MP3. Name it .mp3, or export it again as WAV.',
    )
    expect(await refusal(mp3, 'moon.m4a')).toContain('its content is an MP3')
  })

  for (const name of ['moon.flac', 'moon.mp3.exe', 'moon', 'mp3', '.', '', 'moon.mp3\0.exe', 'moon.mp3/']) {
    test(`the name ${JSON.stringify(name)} is not taken`, async () => {
      expect(await refusal(mp3, name)).toContain('MP3, WAV and M4A are')
    })
  }
})

describe('what is damaged is refused and says how', () => {
  test('an MP3 shorter than its own index says', async () => {
    // A first, silent frame with an Info tag that promises twice what follows.
    const tag = join2('Info', words(1, 2 * 384))
    const first = join2(mp3.subarray(0, 4), new Uint8Array(17), tag)
    const frame = Buffer.alloc(208)
    first.copy(frame)
    expect(await refusal(join2(frame, mp3))).toContain('it is cut off, with 0:10 of its 0:20')
  })

  test('an MP3 that breaks off inside a frame is taken with a warning', async () => {
    const { warnings, durationSeconds } = await check(mp3.subarray(0, 40_003))
    expect(durationSeconds).toBeCloseTo(5, 0)
    expect(warnings.join()).toContain('cut off')
  })

  test('an MP3 that is mostly something else', async () => {
    expect(await refusal(join2(mp3, random(200_000)))).toContain('it is damaged')
  })

  test('an MP3 torn into thousands of pieces, in bounded time', async () => {
    const frame = mp3.subarray(0, 209 * 4)
    const torn = Buffer.concat(Array.from({ length: 5_000 }, () => join2(frame, 'x')))
    const startedAt = performance.now()
    expect(await refusal(torn)).toContain('it is damaged')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('a WAV that ends before its data does', async () => {
    expect(await refusal(toneWav(10).subarray(0, 441_044), 'moon.wav')).toContain(
      'it is cut off, with 0:05 of its 0:10',
    )
  })

  test('a WAV without samples, without a format, compressed, or of nothing but chunks', async () => {
    expect(await refusal(wavHead(0), 'moon.wav')).toContain('it holds no sound')
    expect(
      await refusal(join2('RIFF', words(0), 'WAVEdata', words(0x08000000), random(8)), 'moon.wav'),
    ).toContain('no format')
    expect(await refusal(join2(wavHead(1_000, 2), random(1_000)), 'moon.wav')).toContain(
      'browsers do not play',
    )
    const chunks = Buffer.concat(Array.from({ length: 50_000 }, () => join2('junk', words(0))))
    expect(await refusal(join2('RIFF', words(0), 'WAVE', chunks), 'moon.wav')).toContain(
      'it holds no samples',
    )
  })

  test('an M4A that is cut off, with its index before or behind the sound', async () => {
    const whole = m4aOf(20.4)
    expect(await refusal(whole.subarray(0, whole.byteLength / 2), 'moon.m4a')).toContain(
      'it is cut off, with 0:10 of its 0:20',
    )
    const type = mp4Box('ftyp', Buffer.from('M4A \0\0\0\0M4A isom'))
    const cut = mp4Box('mdat', new Uint8Array(9_000)).subarray(0, 5_000)
    expect(await refusal(join2(type, cut), 'moon.m4a')).toContain('cut off before its index')
  })

  test('an M4A with video, with protected sound, without sound, or with boxes that never end', async () => {
    expect(await refusal(m4aOf(5, { handler: 'vide' }), 'moon.m4a')).toContain('it holds video')
    expect(await refusal(m4aOf(5, { format: 'drms' }), 'moon.m4a')).toContain('browsers do not play (drms)')
    expect(await refusal(m4aOf(5, { handler: 'text' }), 'moon.m4a')).toContain('it holds no sound')
    expect(await refusal(m4aOf(0), 'moon.m4a')).toContain('it holds no sound')
    const type = mp4Box('ftyp', Buffer.from('M4A \0\0\0\0M4A isom'))
    const boxes = Buffer.concat(Array.from({ length: 50_000 }, () => mp4Box('free')))
    expect(await refusal(join2(type, boxes), 'moon.m4a')).toContain('moon.m4a cannot be used')
    expect(await refusal(join2(type, words(0), 'moov', words(4), 'trak'), 'moon.m4a')).toContain(
      'moon.m4a cannot be used',
    )
  })
})

describe('names from outside', () => {
  test('only the last part is shown, without control characters', async () => {
    expect(await refusal('x', '../../etc/moon.mp3')).toStartWith('moon.mp3 ')
    expect(await refusal('x', 'C:\\fakepath\\moon.mp3')).toStartWith('moon.mp3 ')
    expect(await refusal('x', 'mo\u202eon\n.mp3')).toStartWith('moon.mp3 ')
  })

  test('a long name is shortened and its ending kept', async () => {
    const said = await refusal('x', `${'moon'.repeat(200)}.mp3`)
    expect(said.length).toBeLessThan(250)
    expect(said).toContain('moon.mp3 is not an MP3')
  })

  test('a name in any script is taken', async () => {
    expect((await check(mp3, 'Die Mondnacht – Teil 1 (月).MP3')).extension).toBe('mp3')
  })
})
