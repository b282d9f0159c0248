import type { Style } from '#src/script/format/script'
import type { Emotion } from '#src/script/rules'
import type { BuiltInVoice } from './voices'

/** eSpeak's settings for one style. */
export type Settings = {
  espeak: string
  wordsPerMinute: number
  pitch: number
  range: number
  volume: number
}

/** At eSpeak's default volume of 100 some variants clip before the audio reaches us. */
const volume = 55

type Change = { rate?: number; pitch?: number; range?: number; volume?: number }

/**
 * Changes by emotion. They are small, since exaggeration sounds like a caricature. Pitch and range are added, the
 * others multiply.
 */
const byEmotion: Record<Emotion, Change> = {
  tender: { rate: 0.94, pitch: 2, volume: 0.85 },
  warm: { rate: 0.97, pitch: 1, range: 3 },
  playful: { rate: 1.05, pitch: 4, range: 8 },
  longing: { rate: 0.9, pitch: -2, range: 4 },
  excited: { rate: 1.08, pitch: 6, range: 8, volume: 1.1 },
  nervous: { rate: 1.06, pitch: 4, range: -4 },
  sad: { rate: 0.9, pitch: -4, range: -6, volume: 0.9 },
  calm: { rate: 0.93, pitch: -1, range: -4 },
  confident: { rate: 1.0, pitch: -2, range: 2, volume: 1.08 },
}

/** A narrator's voice for a style. A speaker in a dialogue gets a slightly different pitch. */
export function settingsFor(voice: BuiltInVoice, style: Style): Settings {
  const changes: Change[] = [
    ...(style.emotion ? [byEmotion[style.emotion]] : []),
    ...(style.slower ? [{ rate: 0.84 }] : []),
    ...(style.softer ? [{ rate: 0.97, volume: 0.6, range: -4 }] : []),
    ...(style.emphasis ? [{ rate: 0.9, pitch: 4, range: 6, volume: 1.2 }] : []),
    ...(style.whisper ? [{ rate: 0.92, volume: 0.7 }] : []),
    ...(style.speaker ? [{ pitch: speakerPitch(style.speaker) }] : []),
  ]
  const product = (key: 'rate' | 'volume') => changes.reduce((all, change) => all * (change[key] ?? 1), 1)
  const sum = (key: 'pitch' | 'range') => changes.reduce((all, change) => all + (change[key] ?? 0), 0)
  return {
    espeak: style.whisper ? whisperOf(voice.espeak) : voice.espeak,
    wordsPerMinute: Math.round(voice.wordsPerMinute * product('rate')),
    pitch: Math.min(99, Math.max(0, voice.pitch + sum('pitch'))),
    range: Math.min(99, Math.max(0, voice.range + sum('range'))),
    volume: Math.round(Math.min(100, volume * product('volume'))),
  }
}

/** The whispering variant, which eSpeak has for every accent. */
function whisperOf(espeak: string): string {
  const [accent = 'en-us', variant = ''] = espeak.split('+')
  return `${accent}+${/^(?:m\d|Andy|Michael|Reed)/.test(variant) ? 'whisper' : 'whisperf'}`
}

/** A pitch change from -6 to 6, always the same for one name. */
function speakerPitch(name: string): number {
  const sum = [...name.toLowerCase()].reduce((all, sign) => (all * 31 + (sign.codePointAt(0) ?? 0)) % 997, 7)
  return (sum % 13) - 6
}
