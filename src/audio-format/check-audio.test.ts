import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { m4aOf, mp4Box, toneMp3, toneWav, wavHead, words } from '#src/narration/testing'
import { checkAudio } from './check-audio'

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
  if (!(error instanceof AppError)) throw new Error(`Expected a refusal, got ${error}`)
  expect(error.code).toBe('invalid')
  return error.message
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const join2 = (...parts: (Uint8Array | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const zip = join2('PK\x03\x04\x14\0\0\0\0\0', random(3_000))
/** An ID3 tag, whose size is in four bytes of seven bits. */
const id3 = (sizeBytes: number) =>
  join2(
    'ID3\x04\0\0',
    Uint8Array.of(sizeBytes >> 21, (sizeBytes >> 14) & 127, (sizeBytes >> 7) & 127, sizeBytes & 127),
  )

describe('measured duration', () => {
  test('is read from the frames of an MP3', async () => {
    const checked = await check(mp3)
    expect(checked).toMatchObject({ extension: 'mp3', sampleRateHz: 44_100, channels: 1, warnings: [] })
    expect(checked.durationSeconds).toBeCloseTo(10, 0)
  })

  test('ignores tags before and after an MP3', async () => {
    const plain = await check(mp3)
    const ape = join2('APETAGEX', Buffer.from(words(0xd0070000, 0x64000000, 0, 0, 0, 0)), random(100))
    const tagged = await check(join2(id3(70_000), random(70_000), mp3, ape, `TAG${'x'.repeat(125)}`))
    expect(tagged.durationSeconds).toBe(plain.durationSeconds)
  })

  test('leaves out a damaged stretch inside an MP3', async () => {
    const scratched = join2(mp3.subarray(0, 40_000), random(500), mp3.subarray(40_500))
    const { durationSeconds } = await check(scratched)
    expect(durationSeconds).toBeGreaterThan(9.8)
    expect(durationSeconds).toBeLessThan(10.2)
  })

  test('is read from the data of a WAV', async () => {
    expect(await check(toneWav(3), 'moon.WAV')).toMatchObject({
      extension: 'wav',
      durationSeconds: 3,
      warnings: [],
    })
  })

  test('falls back to the data present in a WAV written to a pipe, with a warning', async () => {
    const piped = join2(wavHead(0xffffffff), new Uint8Array(88_200))
    const { durationSeconds, warnings } = await check(piped, 'moon.wav')
    expect(durationSeconds).toBe(1)
    expect(warnings).toHaveLength(1)
  })

  test('is read from the samples of an M4A', async () => {
    const { durationSeconds, extension } = await check(m4aOf(30), 'moon.m4a')
    expect(extension).toBe('m4a')
    expect(durationSeconds).toBeCloseTo(30, 1)
  })
})

test('a file without an extension is recognised by its first bytes', async () => {
  for (const name of ['', '.', 'mp3', 'blob', 'moon.mp3/', 'The moon, take 2'])
    for (const [bytes, extension] of [
      [mp3, 'mp3'],
      [toneWav(1), 'wav'],
      [m4aOf(2), 'm4a'],
    ] as const)
      expect(await check(bytes, name)).toMatchObject({ extension })
  expect(await refusal('%PDF-1.7\n', 'blob')).toStartWith('blob is not audio: its content is a PDF.')
  expect(await refusal(random(300), 'blob')).toStartWith('blob is not accepted: MP3, WAV and M4A are.')
})

describe('files that are not audio', () => {
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
    ['an empty file', '', 'moon.mp3 is empty. Choose the file again.'],
    ['one byte', 'x', ''],
    ['zeros', new Uint8Array(100_000), ''],
    ['random bytes', random(300_000), ''],
    ['bytes of ones only', new Uint8Array(100_000).fill(0xff), ''],
    [
      'frame headers without frames',
      Uint8Array.from({ length: 90_000 }, (_, at) => [0xff, 0xfb, 0x90, 0][at % 4] ?? 0),
      '',
    ],
    ['only a tag', join2(id3(50), random(50)), ''],
    ['a tag that claims 256 MB', join2(id3(268_435_455), random(5_000)), ''],
    ['a tag before a program', join2(id3(50), random(50), 'MZ\x90\0', random(30_000)), ''],
    ['only tags', Buffer.concat(Array.from({ length: 20_000 }, () => id3(0))), ''],
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
    test(`rejects ${what} named .mp3`, async () => {
      const answer = await refusal(content)
      expect(answer).toStartWith('moon.mp3 ')
      if (message) expect(answer).toBe(message)
    })
    test(`rejects ${what} named .wav or .m4a unless it is one`, async () => {
      if (what !== 'a WAV') expect(await refusal(content, 'moon.wav')).toStartWith('moon.wav ')
      if (what !== 'an M4A') expect(await refusal(content, 'moon.m4a')).toStartWith('moon.m4a ')
    })
  }

  test('rejects an MP3 named .wav or .m4a', async () => {
    expect(await refusal(mp3, 'moon.wav')).toBe(
      'moon.wav is not a WAV: its content is an MP3. Name it .mp3, or export it again as WAV.',
    )
    expect(await refusal(mp3, 'moon.m4a')).toContain('its content is an MP3')
  })

  for (const name of ['moon.flac', 'moon.mp3.exe', 'moon.mp3\0.exe', '.flac']) {
    test(`rejects the name ${JSON.stringify(name)}`, async () => {
      expect(await refusal(mp3, name)).toContain('MP3, WAV and M4A are')
    })
  }
})

describe('damaged files that still play', () => {
  test('warns that an MP3 is shorter than its own index says', async () => {
    // A silent first frame whose Info tag states twice the frames that follow.
    const tag = join2('Info', words(1, 2 * 384))
    const first = join2(mp3.subarray(0, 4), new Uint8Array(17), tag)
    const frame = Buffer.alloc(208)
    first.copy(frame)
    const { durationSeconds, warnings } = await check(join2(frame, mp3))
    expect(durationSeconds).toBeCloseTo(10, 0)
    expect(warnings).toEqual([
      'It is cut off: 10 s of 0:20 are missing at the end. Send the whole file, if there is one.',
    ])
  })

  test('warns that an MP3 is cut off inside a frame', async () => {
    const { warnings, durationSeconds } = await check(mp3.subarray(0, 40_003))
    expect(durationSeconds).toBeCloseTo(5, 0)
    expect(warnings.join()).toContain('cut off')
  })

  test('warns that a WAV is cut off inside its data', async () => {
    const { durationSeconds, warnings } = await check(toneWav(10).subarray(0, 793_844), 'moon.wav')
    expect(durationSeconds).toBe(9)
    expect(warnings.join()).toStartWith('It is cut off: 1 s of 0:10 is missing at the end.')
  })

  test('warns that an M4A is cut off inside its sound', async () => {
    const whole = m4aOf(130)
    const { durationSeconds, warnings } = await check(
      whole.subarray(0, whole.byteLength - 13_000),
      'moon.m4a',
    )
    expect(durationSeconds).toBeCloseTo(127, 0)
    expect(warnings.join()).toStartWith('It is cut off: 3 s of 2:10 are missing at the end.')
  })
})

describe('files damaged beyond use', () => {
  test('rejects an MP3 that is mostly other bytes', async () => {
    expect(await refusal(join2(mp3, random(200_000)))).toContain('it is damaged')
  })

  test('rejects an MP3 torn into thousands of pieces in linear time', async () => {
    const frame = mp3.subarray(0, 209 * 4)
    const torn = (pieces: number) => Buffer.concat(Array.from({ length: pieces }, () => join2(frame, 'x')))
    /** Processor time of one check in µs, measured over as many checks as the coarsest clock needs. */
    const processorTimeFor = async (pieces: number) => {
      const content = torn(pieces)
      const before = process.threadCpuUsage()
      for (let checks = 1; ; checks += 1) {
        expect(await refusal(content)).toContain('it is damaged')
        const { user } = process.threadCpuUsage(before)
        if (user > 200_000) return user / checks
      }
    }
    await processorTimeFor(5_000)
    // Eight times the pieces would take 64 times as long if each piece were compared with each other one.
    expect(await processorTimeFor(40_000)).toBeLessThan(32 * (await processorTimeFor(5_000)))
  })

  test('rejects a WAV without samples, without a format, compressed, or of chunks only', async () => {
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

  test('rejects an M4A cut off before its index or before its sound', async () => {
    const whole = m4aOf(20.4)
    const soundAt = Buffer.from(whole).indexOf('mdat') + 4
    expect(await refusal(whole.subarray(0, soundAt), 'moon.m4a')).toContain('cut off before its sound')
    const type = mp4Box('ftyp', Buffer.from('M4A \0\0\0\0M4A isom'))
    const cut = mp4Box('mdat', new Uint8Array(9_000)).subarray(0, 5_000)
    expect(await refusal(join2(type, cut), 'moon.m4a')).toContain('cut off before its index')
  })

  test('rejects an M4A with video, with DRM, without sound, or with boxes that never end', async () => {
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

describe('codecs', () => {
  /** The AudioSpecificConfig of a kind of MPEG-4 audio, 22,050 Hz, stereo. */
  const aacOf = (type: number) => {
    const kind =
      type < 31 ? type.toString(2).padStart(5, '0') : `11111${(type - 32).toString(2).padStart(6, '0')}`
    const bits = `${kind}01110010000`.padEnd(24, '0')
    return [0, 8, 16].map((at) => Number.parseInt(bits.slice(at, at + 8), 2))
  }
  const hidden = [0x13, 0x90, 0x56, 0xe5, 0xa0]
  const wordsOf = async (made: Parameters<typeof m4aOf>[1]) =>
    (await check(m4aOf(5, made), 'moon.m4a')).warnings

  test('warns about HE-AAC and rejects the AAC types that Chromium 156 does not play', async () => {
    for (const type of [1, 2, 4]) expect(await wordsOf({ aac: aacOf(type) })).toEqual([])
    for (const aac of [aacOf(5), aacOf(29), hidden])
      expect(await wordsOf({ aac })).toEqual([
        'Its sound is HE-AAC, which not every browser plays, or plays without its high tones. Export it as AAC-LC or MP3 to be sure.',
      ])
    const refused = [
      [23, 'AAC-LD'],
      [39, 'AAC-ELD'],
      [42, 'xHE-AAC'],
      [36, 'AAC of type 36'],
    ] as const
    for (const [type, name] of refused)
      expect(await refusal(m4aOf(5, { aac: aacOf(type) }), 'moon.m4a')).toContain(`do not play (${name})`)
  })

  test('warns about FLAC and Opus and rejects ALAC, Dolby and unknown sound in an M4A', async () => {
    expect(await wordsOf({ codec: 0x6b })).toEqual([])
    expect(await wordsOf({ codec: 0x67 })).toEqual([])
    expect((await wordsOf({ format: 'fLaC' })).join()).toContain('FLAC')
    expect((await wordsOf({ format: 'Opus' })).join()).toContain('Opus')
    expect(await refusal(m4aOf(5, { format: 'alac' }), 'moon.m4a')).toContain('do not play (ALAC)')
    expect(await refusal(m4aOf(5, { format: 'ac-3' }), 'moon.m4a')).toContain('do not play (Dolby Digital)')
    expect(await refusal(m4aOf(5, { codec: 0xdd }), 'moon.m4a')).toContain('do not play (type 221)')
    expect(await refusal(m4aOf(5, { aac: [] }), 'moon.m4a')).toContain(
      'does not say how its sound is encoded',
    )
  })

  test('rejects a free-format MP3', async () => {
    const free = Uint8Array.from({ length: 62_700 }, (_, at) => [0xff, 0xfb, 0x00, 0xc0][at % 209] ?? 0)
    expect(await refusal(free)).toContain('no MP3 frames were found in it')
  })
})

describe('file names', () => {
  test('are shown without their path and control characters', async () => {
    expect(await refusal('x', '../../etc/moon.mp3')).toStartWith('moon.mp3 ')
    expect(await refusal('x', 'C:\\fakepath\\moon.mp3')).toStartWith('moon.mp3 ')
    expect(await refusal('x', 'mo\u202eon\n.mp3')).toStartWith('moon.mp3 ')
  })

  test('are shortened and keep their extension', async () => {
    const message = await refusal('x', `${'moon'.repeat(200)}.mp3`)
    expect(message.length).toBeLessThan(250)
    expect(message).toContain('moon.mp3 is not an MP3')
  })

  test('are accepted in any script', async () => {
    expect((await check(mp3, 'Die Mondnacht – Teil 1 (月).MP3')).extension).toBe('mp3')
  })
})
