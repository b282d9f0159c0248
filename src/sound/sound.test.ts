import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MPEGDecoder } from 'mpg123-decoder'
import { checkAudio } from '#src/audio-format/check-audio'
import { doubleRate, type Stage } from './double-rate'
import { limitPeaks } from './limit-peaks'
import { loudnessMeter } from './loudness'
import { master } from './master'
import { peakMeter } from './peaks'
import { openTemporarySound } from './temporary-sound'
import { writeMp3 } from './write-mp3'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nocturne-sound-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const sine = (seconds: number, hertz: number, rate: number, level = 1) =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, at) => level * Math.sin((2 * Math.PI * hertz * at) / rate),
  )

function through(stage: Stage, sound: Float32Array, pieces = 1_000): Float32Array {
  const parts: Float32Array[] = []
  for (let at = 0; at < sound.length; at += pieces)
    parts.push(stage.process(sound.subarray(at, at + pieces)).slice())
  parts.push(stage.end())
  return Float32Array.from(parts.flatMap((part) => [...part]))
}

const peakOf = (sound: Float32Array) => sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)

function loudness(sound: Float32Array, rate: number): number {
  const meter = loudnessMeter(rate)
  meter.add(sound)
  return meter.integratedLufs()
}

async function decode(path: string): Promise<{ samples: Float32Array; sampleRate: number }> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const { channelData, sampleRate } = decoder.decode(await Bun.file(path).bytes())
  decoder.free()
  return { samples: channelData[0] ?? new Float32Array(), sampleRate }
}

describe('loudness', () => {
  // EBU Tech 3341: a sine of 1 kHz at -23 dBFS in one of two channels. One channel alone measures 3.01 LU less than
  // both.
  for (const rate of [22_050, 44_100, 48_000]) {
    test(`of a 1 kHz sine matches EBU Tech 3341 at ${rate} Hz`, () => {
      expect(loudness(sine(20, 1_000, rate, 10 ** (-23 / 20)), rate)).toBeCloseTo(-26.0, 1)
    })
  }

  test('is not lowered by silence between speech', () => {
    const loud = sine(10, 1_000, 44_100, 0.1)
    const meter = loudnessMeter(44_100)
    meter.add(loud)
    meter.add(new Float32Array(44_100 * 60))
    meter.add(loud)
    expect(meter.integratedLufs()).toBeCloseTo(loudness(loud, 44_100), 0)
  })

  test('of silence is minus infinity', () => {
    expect(loudness(new Float32Array(100_000), 44_100)).toBe(Number.NEGATIVE_INFINITY)
  })
})

describe('doubling the sample rate', () => {
  test('keeps length, timing and level for chunks of any size', () => {
    const sound = sine(0.5, 3_000, 22_050, 0.5)
    const wanted = sine(0.5, 3_000, 44_100, 0.5)
    for (const pieces of [1, 7, 5_000, 100_000]) {
      const doubled = through(doubleRate(), sound, pieces)
      expect(doubled).toHaveLength(wanted.length)
      const middle = doubled.subarray(200, -200).map((sample, at) => sample - (wanted[at + 200] ?? 0))
      expect(peakOf(middle)).toBeLessThan(0.001)
    }
  })
})

describe('peak limiter', () => {
  test('keeps every sample below the ceiling and only amplifies quieter ones', () => {
    const sound = sine(1, 220, 44_100, 0.9).map(
      (sample, at) => sample * (at > 20_000 && at < 20_400 ? 1 : 0.2),
    )
    const limited = through(limitPeaks(44_100, 2, 0.8), sound, 333)
    expect(limited).toHaveLength(sound.length)
    expect(peakOf(limited)).toBeLessThan(0.800001)
    for (let at = 0; at < 15_000; at += 1) expect(limited[at]).toBeCloseTo(2 * (sound[at] ?? 0), 5)
  })

  test('changes its gain smoothly: no step exceeds those of the sound', () => {
    const sound = sine(1, 100, 44_100, 0.5)
    sound[22_050] = 1
    const limited = through(limitPeaks(44_100, 1, 0.5), sound)
    for (let at = 1; at < limited.length; at += 1) {
      if (Math.abs(at - 22_050) < 2) continue
      expect(Math.abs((limited[at] ?? 0) - (limited[at - 1] ?? 0))).toBeLessThan(0.02)
    }
  })
})

describe('waveform', () => {
  test('has 800 bars, each the peak of its part', () => {
    const meter = peakMeter(80_000)
    meter.add(new Float32Array(40_000))
    meter.add(new Float32Array(40_000).fill(-0.5))
    expect(meter.peaks()).toEqual([...Array(400).fill(0), ...Array(400).fill(0.5)])
  })
})

describe('MP3 file', () => {
  test('decodes to as many samples as went in, at the same position', async () => {
    const path = join(dir, 'exact.mp3')
    const sound = new Float32Array(100_000)
    sound.set(sine(0.02, 1_000, 44_100, 0.8), 50_000)
    const mp3 = await writeMp3(path, { title: 'The Night Ferry – 月', comment: 'Synthetic.' })
    for (let at = 0; at < sound.length; at += 7_000) await mp3.add(sound.subarray(at, at + 7_000))
    expect(await mp3.finish()).toBeCloseTo(100_000 / 44_100, 6)
    const { samples, sampleRate } = await decode(path)
    expect([samples.length, sampleRate]).toEqual([100_000, 44_100])
    const firstLoud = samples.findIndex((sample) => Math.abs(sample) > 0.3)
    expect(Math.abs(firstLoud - 50_003)).toBeLessThan(10)
    expect((await checkAudio(path, 'exact.mp3')).durationSeconds).toBeCloseTo(100_000 / 44_100, 6)
  })

  test('carries ID3, Info and LAME tags', async () => {
    const head = new TextDecoder('latin1').decode(
      (await Bun.file(join(dir, 'exact.mp3')).bytes()).subarray(0, 400),
    )
    expect(head).toStartWith('ID3')
    for (const part of ['TIT2', 'COMM', 'Synthetic.', 'Info', 'LAME']) expect(head).toContain(part)
  })

  for (const [what, level] of [
    ['quiet', 0.03],
    ['loud', 0.95],
  ] as const) {
    test(`has -16 LUFS and peaks under -1 dB for ${what} speech`, async () => {
      const path = join(dir, `${what}.mp3`)
      const sound = await openTemporarySound(`${path}.pcm`, 22_050)
      const speech = sine(20, 180, 22_050, level).map(
        (sample, at) => sample * Math.abs(Math.sin(at / 3_000)) ** 3,
      )
      for (let at = 0; at < speech.length; at += 50_000) await sound.add(speech.subarray(at, at + 50_000))
      const { lufs, durationSeconds, peaks } = await master(
        sound,
        path,
        { title: 'x', comment: '' },
        () => {},
      )
      await sound.remove()
      const { samples } = await decode(path)
      expect(durationSeconds).toBeCloseTo(20, 3)
      expect(loudness(samples, 44_100)).toBeCloseTo(-16, 0)
      expect(Math.abs(loudness(samples, 44_100) - lufs)).toBeLessThan(0.3)
      expect(20 * Math.log10(peakOf(samples))).toBeLessThan(-1)
      expect(peaks).toHaveLength(800)
      expect((await readdir(dir)).filter((name) => name.endsWith('.pcm'))).toEqual([])
    })
  }
})
