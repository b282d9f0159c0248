import { rm } from 'node:fs/promises'
import { doubleRate, type Stage } from './double-rate'
import { limitPeaks } from './limit-peaks'
import { loudnessMeter } from './loudness'
import { peakMeter } from './peaks'
import type { TemporarySound } from './temporary-sound'
import { encodedRateHz, writeMp3 } from './write-mp3'

/** The target loudness of speech on the web; streaming services use -14 to -16. */
const targetLufs = -16
/** The encoder makes everything a little quieter (LAME multiplies by 0.95). */
const encoderLossDb = 0.45
/**
 * Encoding adds up to 1.5 dB to the peaks of a bright voice; with this ceiling the decoded sound stays under -1 dBTP.
 */
const ceilingDb = -2.9
/** The limiter's attenuation of speech: a first guess. */
const limiterLossDb = 0.9
/** Maximum gain, so that a whisper is not amplified to noise. */
const gainDbMax = 24

export type Mastered = { durationSeconds: number; lufs: number; peaks: number[] }

/**
 * Encodes temporary speech (22.05 or 44.1 kHz) as a stream into one MP3 at `path`: 44.1 kHz, -16 LUFS, peaks under -1
 * dBTP. Awaits `onProgress` between its steps. On failure it leaves no file.
 */
export async function master(
  input: TemporarySound,
  path: string,
  tag: { title: string; comment: string },
  onProgress: (share: number) => void | Promise<void>,
): Promise<Mastered> {
  const { gainDb, lufs } = await findGain(input, () => onProgress(0))
  const times = encodedRateHz / input.sampleRateHz
  if (times !== 1 && times !== 2) throw new Error(`Speech at ${input.sampleRateHz} Hz cannot be mastered.`)
  const stages: Stage[] = [...(times === 2 ? [doubleRate()] : []), limiter(encodedRateHz, gainDb)]
  const peaks = peakMeter(times * input.samples)
  const mp3 = await writeMp3(path, tag)
  let read = 0
  const write = async (samples: Float32Array) => {
    peaks.add(samples)
    await mp3.add(samples)
  }
  try {
    for await (const samples of input.read()) {
      await write(stages.reduce((sound, stage) => stage.process(sound), samples))
      read += samples.length
      await onProgress(read / Math.max(1, input.samples))
    }
    for (const [at, stage] of stages.entries()) {
      await write(stages.slice(at + 1).reduce((sound, next) => next.process(sound), stage.end()))
    }
    return { durationSeconds: await mp3.finish(), lufs, peaks: peaks.peaks() }
  } catch (error) {
    await mp3.abandon().catch(() => undefined)
    await rm(path, { force: true })
    throw error
  }
}

/** The limiter attenuates two minutes of a narration as much as all of it. */
const triedSeconds = 120

/**
 * Finds the gain that brings the audio to its target loudness after the limiter, which attenuates a little. It is tried
 * on a part of the audio, three times at most. Also returns the resulting loudness.
 */
async function findGain(
  input: TemporarySound,
  rest: () => void | Promise<void>,
): Promise<{ gainDb: number; lufs: number }> {
  const unchanged = input.integratedLufs()
  if (!Number.isFinite(unchanged)) return { gainDb: 0, lufs: unchanged }
  const tried = await measure(input, (samples) => samples, rest)
  let wantedDb = targetLufs - unchanged + limiterLossDb + encoderLossDb
  for (let tries = 1; ; tries += 1) {
    const gainDb = Math.min(gainDbMax, wantedDb)
    const stage = limiter(input.sampleRateHz, gainDb)
    const gained = (await measure(input, stage.process, rest)) - tried
    // If the tried part is silent, the limiter's effect is unknown.
    const lufs = unchanged + (Number.isFinite(gained) ? gained : gainDb) - encoderLossDb
    if (tries === 3 || Math.abs(targetLufs - lufs) < 0.15 || gainDb < wantedDb) return { gainDb, lufs }
    // The limiter takes back a part of added gain, so a little more than the difference is added.
    wantedDb = gainDb + (targetLufs - lufs) * 1.6
  }
}

async function measure(
  input: TemporarySound,
  through: Stage['process'],
  rest: () => void | Promise<void>,
): Promise<number> {
  const meter = loudnessMeter(input.sampleRateHz)
  for await (const samples of input.read(triedSeconds)) {
    meter.add(through(samples))
    await rest()
  }
  return meter.integratedLufs()
}

function limiter(sampleRateHz: number, gainDb: number): Stage {
  return limitPeaks(sampleRateHz, toLinear(gainDb), toLinear(ceilingDb))
}

function toLinear(decibels: number): number {
  return 10 ** (decibels / 20)
}
