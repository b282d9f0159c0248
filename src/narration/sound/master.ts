import { rm } from 'node:fs/promises'
import { doubleRate, type Stage } from './double-rate'
import { limitPeaks } from './limit-peaks'
import { loudnessMeter } from './loudness'
import { peakMeter } from './peaks'
import type { Spool } from './spool'
import { encodedRateHz, writeMp3 } from './write-mp3'

/** What speech on the web is levelled to; streaming services use -14 to -16. */
export const targetLufs = -16
/** The encoder makes everything a little quieter (LAME multiplies by 0.95). */
const encoderLossDb = 0.45
/** Encoding adds up to 1.5 decibels to the peaks of a bright voice: the decoded sound stays under -1 dBTP. */
const ceilingDb = -2.9
/** What the limiter takes away from speech, as a first guess. */
const limiterLossDb = 0.9
/** A whisper is not blown up to noise. */
const gainDbMax = 24

export type Mastered = { durationSeconds: number; lufs: number; peaks: number[] }

/**
 * Turns spooled speech (22.05 or 44.1 kHz) into one MP3 at `path`: 44.1 kHz, -16 LUFS, peaks under -1 dBTP, as a stream. Where it
 * fails it leaves no file.
 */
export async function master(
  spool: Spool,
  path: string,
  tag: { title: string; comment: string },
  onProgress: (share: number) => void,
): Promise<Mastered> {
  const { gainDb, lufs } = await findGain(spool)
  const times = encodedRateHz / spool.sampleRateHz
  if (times !== 1 && times !== 2) throw new Error(`Speech at ${spool.sampleRateHz} Hz cannot be mastered.`)
  const stages: Stage[] = [...(times === 2 ? [doubleRate()] : []), limiter(encodedRateHz, gainDb)]
  const peaks = peakMeter(times * spool.samples)
  const mp3 = await writeMp3(path, tag)
  let read = 0
  const write = async (samples: Float32Array) => {
    peaks.add(samples)
    await mp3.add(samples)
  }
  try {
    for await (const samples of spool.read()) {
      await write(stages.reduce((sound, stage) => stage.process(sound), samples))
      read += samples.length
      onProgress(read / Math.max(1, spool.samples))
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

/** What the limiter takes away from two minutes of a narration, it takes away from all of it. */
const triedSeconds = 120

/**
 * The gain that brings the sound to its level after the limiter, which takes a little away: tried out on a part
 * of the spool, three times at most. Answers with it the loudness that comes out at the end.
 */
async function findGain(spool: Spool): Promise<{ gainDb: number; lufs: number }> {
  const unchanged = spool.integratedLufs()
  if (!Number.isFinite(unchanged)) return { gainDb: 0, lufs: unchanged }
  const tried = await measure(spool, (samples) => samples)
  let wantedDb = targetLufs - unchanged + limiterLossDb + encoderLossDb
  for (let tries = 1; ; tries += 1) {
    const gainDb = Math.min(gainDbMax, wantedDb)
    const stage = limiter(spool.sampleRateHz, gainDb)
    const gained = (await measure(spool, stage.process)) - tried
    // Where what was tried is silence alone, nothing is known of the limiter.
    const lufs = unchanged + (Number.isFinite(gained) ? gained : gainDb) - encoderLossDb
    if (tries === 3 || Math.abs(targetLufs - lufs) < 0.15 || gainDb < wantedDb) return { gainDb, lufs }
    // What is added is limited in part: a little more than is missing.
    wantedDb = gainDb + (targetLufs - lufs) * 1.6
  }
}

async function measure(spool: Spool, through: Stage['process']): Promise<number> {
  const meter = loudnessMeter(spool.sampleRateHz)
  for await (const samples of spool.read(triedSeconds)) meter.add(through(samples))
  return meter.integratedLufs()
}

function limiter(sampleRateHz: number, gainDb: number): Stage {
  return limitPeaks(sampleRateHz, toLinear(gainDb), toLinear(ceilingDb))
}

function toLinear(decibels: number): number {
  return 10 ** (decibels / 20)
}
