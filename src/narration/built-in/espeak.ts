import type { PhraseSound, PhraseVoice } from '#src/narration/synthesis/phrase-sound'
import { trimSilence } from '#src/narration/synthesis/trim-silence'
import { timeWords, wordsOf } from '#src/narration/timing/split-words'
import type { Style } from '#src/script/format/script'
import type { Utterance } from '../plan-speech'
import { spokenText } from '../spoken-text'
import { type Settings, settingsFor } from './prosody'
import type { BuiltInVoice } from './voices'

/** The part of the package that is used here. The package has no types. */
type Worker = {
  set_voice(name: string, language: string, gender: string, age: string, variant: number): number
  set_rate(wordsPerMinute: number): void
  set_pitch(value: number): void
  set_range(value: number): void
  set_volume(value: number): void
  get_samplerate(): number
  synthesize(ssml: string, onAudio: (samples: Int16Array, events: Event[]) => boolean): void
}
/** `text_position` counts code points from 1; `audio_position` is in milliseconds. */
type Event = { type: string; text_position: number; audio_position: number }

/**
 * Loads eSpeak NG for a narrator. eSpeak NG is GPL-3, which is why it only ever runs in a separate process. Throws if
 * the package is not installed.
 */
export async function openSpeaker(voice: BuiltInVoice): Promise<PhraseVoice> {
  const { default: load } = await import('@echogarden/espeak-ng-emscripten')
  const espeak: { eSpeakNGWorker: new () => Worker } = await load()
  const worker = new espeak.eSpeakNGWorker()
  const applyStyle = settingsApplier(worker, voice)
  const sampleRateHz = worker.get_samplerate()
  return {
    sampleRateHz,
    speak: async ({ parts }) =>
      joined(parts.map((part, at) => speak(part, { isLast: at === parts.length - 1 }))),
  }

  function speak({ text, at, style }: Utterance, { isLast }: { isLast: boolean }): PhraseSound {
    applyStyle(style)
    const spoken = spokenText(text, at)
    // Within a sentence the intonation must stay up: without final punctuation a part would sound like the end of a
    // sentence.
    const line = isLast || /\p{P}$/u.test(spoken.text) ? spoken.text : `${spoken.text},`
    const { samples, events } = synthesize(worker, line)
    const trimmed = trimSilence(samples, sampleRateHz)
    const seconds = (milliseconds: number) => milliseconds / 1_000 - trimmed.from / sampleRateHz
    const sound = { startSeconds: 0, endSeconds: trimmed.samples.length / sampleRateHz }
    const words = wordsOf(text, at)
    const wordEvents = events.filter(({ type }) => type === 'word')
    const starts = words.map(({ at: from, length }) => {
      const event = wordEvents.find(({ text_position }) => {
        const place = spoken.places[text_position - 1] ?? -1
        return place >= from && place < from + length
      })
      return event ? seconds(event.audio_position) : null
    })
    const rests = events.filter(({ type }) => type === 'end').map((event) => seconds(event.audio_position))
    const endOf = (start: number) => rests.find((rest) => rest > start) ?? sound.endSeconds
    return { samples: trimmed.samples, words: timeWords(words, starts, sound, endOf) }
  }

  function joined(sounds: readonly PhraseSound[]): PhraseSound {
    const [only] = sounds
    if (sounds.length === 1 && only) return only
    const samples = new Float32Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0))
    const words: PhraseSound['words'] = []
    let at = 0
    for (const sound of sounds) {
      samples.set(sound.samples, at)
      const shift = at / sampleRateHz
      for (const word of sound.words) {
        words.push({ ...word, startSeconds: word.startSeconds + shift, endSeconds: word.endSeconds + shift })
      }
      at += sound.samples.length
    }
    return { samples, words }
  }
}

/** Configures the worker only if the style changes, since each change reads the voice from its files. */
function settingsApplier(worker: Worker, voice: BuiltInVoice): (style: Style) => void {
  let current: Settings | null = null
  return (style) => {
    const wanted = settingsFor(voice, style)
    if (JSON.stringify(wanted) === JSON.stringify(current)) return
    if (wanted.espeak !== current?.espeak) worker.set_voice(wanted.espeak, '', '', '', 0)
    worker.set_rate(wanted.wordsPerMinute)
    worker.set_pitch(wanted.pitch)
    worker.set_range(wanted.range)
    worker.set_volume(wanted.volume)
    current = wanted
  }
}

function synthesize(worker: Worker, text: string): { samples: Float32Array; events: Event[] } {
  const parts: Int16Array[] = []
  const events: Event[] = []
  worker.synthesize(text, (samples, reported) => {
    // Copied, because the worker reuses the memory of the samples.
    parts.push(Int16Array.from(samples))
    for (const { type, text_position, audio_position } of reported) {
      if (type === 'word' || type === 'end') events.push({ type, text_position, audio_position })
    }
    return false
  })
  return { samples: toFloats(parts), events }
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
