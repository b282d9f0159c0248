import { type Narrator, narrators } from '../rules'

/** A narrator's voice in eSpeak: a language, a variant, pitch, range and speed. */
export type BuiltInVoice = {
  espeak: string
  /** 0 to 100; 50 is the variant's default. */
  pitch: number
  /** The range of the pitch, 0 to 100. Less than 50 sounds calmer. */
  range: number
  wordsPerMinute: number
}

/**
 * Chosen by measurement, not yet by ear: voices of one accent and sex differ by at least 10 Hz in median pitch (given
 * at the end of each line), none clips, and none has peaks that encoding raises much.
 */
export const builtInVoices: Record<Narrator, BuiltInVoice> = {
  rachel: { espeak: 'en-us+f2', pitch: 44, range: 48, wordsPerMinute: 152 }, // 182 Hz
  bella: { espeak: 'en-gb-x-rp+f4', pitch: 42, range: 46, wordsPerMinute: 146 }, // 162 Hz
  elli: { espeak: 'en-us+linda', pitch: 46, range: 50, wordsPerMinute: 158 }, // 216 Hz
  serena: { espeak: 'en-gb-x-rp+f3', pitch: 50, range: 44, wordsPerMinute: 148 }, // 204 Hz
  domi: { espeak: 'en-us+belinda', pitch: 54, range: 50, wordsPerMinute: 160 }, // 240 Hz
  nova: { espeak: 'en-gb-scotland+f4', pitch: 48, range: 48, wordsPerMinute: 154 }, // 172 Hz
  adam: { espeak: 'en-us+Andy', pitch: 48, range: 46, wordsPerMinute: 150 }, // 92 Hz
  josh: { espeak: 'en-us+Michael', pitch: 54, range: 50, wordsPerMinute: 158 }, // 109 Hz
  antoni: { espeak: 'en-gb-x-rp+m7', pitch: 46, range: 46, wordsPerMinute: 150 }, // 101 Hz
  alloy: { espeak: 'en-us+Reed', pitch: 60, range: 44, wordsPerMinute: 158 }, // 123 Hz
}

export function isNarrator(name: string): name is Narrator {
  return narrators.some((each) => each === name)
}
