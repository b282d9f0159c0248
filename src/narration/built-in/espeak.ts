import type { BuiltInVoice } from './voices'

/** Speaks a sentence: samples from -1 to 1 at `sampleRateHz`, mono. */
export type Speaker = { sampleRateHz: number; say(text: string): Float32Array }

/** The part of the package that is used; it comes without types. */
type Worker = {
  set_voice(name: string, language: string, gender: string, age: string, variant: number): number
  set_rate(wordsPerMinute: number): void
  set_pitch(value: number): void
  set_range(value: number): void
  set_volume(value: number): void
  get_samplerate(): number
  synthesize(ssml: string, onAudio: (samples: Int16Array, events: unknown[]) => boolean): void
}

/** At eSpeak's own 100 some variants clip before we see them. */
const volume = 55
const fadeSeconds = 0.004
/** 56 dB under the loudest, and a hundredth of a second around what is louder. */
const silence = 0.0016
const keptSamples = 220

/**
 * Loads eSpeak NG (GPL-3, which is why it only ever runs in this process of its own) and sets a voice.
 * Throws where the package is not installed.
 */
export async function openSpeaker(voice: BuiltInVoice): Promise<Speaker> {
  const { default: load } = await import('@echogarden/espeak-ng-emscripten')
  const espeak: { eSpeakNGWorker: new () => Worker } = await load()
  const worker = new espeak.eSpeakNGWorker()
  worker.set_voice(voice.espeak, '', '', '', 0)
  worker.set_rate(voice.wordsPerMinute)
  worker.set_pitch(voice.pitch)
  worker.set_range(voice.range)
  worker.set_volume(volume)
  const sampleRateHz = worker.get_samplerate()
  return {
    sampleRateHz,
    say(text) {
      const parts: Int16Array[] = []
      worker.synthesize(escapeMarkup(text), (samples) => {
        // The memory behind the samples is used again for the next ones.
        parts.push(Int16Array.from(samples))
        return false
      })
      return fadeEnds(withoutSilence(toFloats(parts)), Math.round(fadeSeconds * sampleRateHz))
    },
  }
}

/** eSpeak reads SSML: a story's "<" is not the beginning of a tag. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function toFloats(parts: readonly Int16Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    for (let index = 0; index < part.length; index += 1) all[at + index] = (part[index] ?? 0) / 32_768
    at += part.length
  }
  return all
}

/** eSpeak adds up to a third of a second for a quotation mark or a comma at the end: pauses are the plan's. */
function withoutSilence(samples: Float32Array): Float32Array {
  let from = 0
  let to = samples.length
  while (from < to && Math.abs(samples[from] ?? 0) < silence) from += 1
  while (to > from && Math.abs(samples[to - 1] ?? 0) < silence) to -= 1
  return samples.slice(Math.max(0, from - keptSamples), to + keptSamples)
}

/** A few milliseconds in and out: a join between sentences makes no click. */
function fadeEnds(samples: Float32Array, length: number): Float32Array {
  const last = samples.length - 1
  for (let at = 0; at < Math.min(length, samples.length); at += 1) {
    samples[at] = (samples[at] ?? 0) * (at / length)
    samples[last - at] = (samples[last - at] ?? 0) * (at / length)
  }
  return samples
}
