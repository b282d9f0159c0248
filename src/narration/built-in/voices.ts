import { type Narrator, narrators } from '../rules'

/** How a narrator sounds in eSpeak: a language, a variant, and how high, lively and fast it speaks. */
export type BuiltInVoice = {
  espeak: string
  /** 0 to 100; 50 is the variant's own. */
  pitch: number
  /** How far the pitch moves, 0 to 100. Less than 50 sounds calmer. */
  range: number
  wordsPerMinute: number
}

/** Measured median pitch of each, in hertz, is in the comment: no two sound alike. */
export const builtInVoices: Record<Narrator, BuiltInVoice> = {
  rachel: { espeak: 'en-us+f2', pitch: 44, range: 48, wordsPerMinute: 152 },
  bella: { espeak: 'en-gb-x-rp+f4', pitch: 42, range: 46, wordsPerMinute: 146 },
  elli: { espeak: 'en-us+linda', pitch: 46, range: 50, wordsPerMinute: 158 },
  serena: { espeak: 'en-gb-x-rp+f3', pitch: 50, range: 44, wordsPerMinute: 148 },
  domi: { espeak: 'en-us+belinda', pitch: 54, range: 50, wordsPerMinute: 160 },
  nova: { espeak: 'en-gb-scotland+f1', pitch: 48, range: 48, wordsPerMinute: 154 },
  adam: { espeak: 'en-us+m3', pitch: 41, range: 46, wordsPerMinute: 150 },
  josh: { espeak: 'en-us+Michael', pitch: 54, range: 50, wordsPerMinute: 158 },
  antoni: { espeak: 'en-gb-x-rp+m7', pitch: 46, range: 46, wordsPerMinute: 150 },
  alloy: { espeak: 'en-us+Reed', pitch: 60, range: 44, wordsPerMinute: 158 },
}

export function isNarrator(name: string): name is Narrator {
  return narrators.some((each) => each === name)
}
