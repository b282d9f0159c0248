/** Marks of a script and their limits. Browser-safe: no imports. */

/** Marks without a value, which surround text. */
export const plainMarks = ['emphasis', 'whisper', 'slower', 'softer'] as const
export type PlainMark = (typeof plainMarks)[number]

/** The values of an `emotion` mark: those that a narrator of these stories can express by voice alone. */
export const emotions = [
  'tender',
  'warm',
  'playful',
  'longing',
  'excited',
  'nervous',
  'sad',
  'calm',
  'confident',
] as const
export type Emotion = (typeof emotions)[number]

/** A flow may have long pauses. A longer one than this is a misplaced decimal point. */
export const pauseSecondsMax = 30
/** Length of a speaker's name as it is in the text: "Mara", "The ferryman". */
export const speakerCharactersMax = 40
/** Deeper nesting is unreadable. */
export const marksDepthMax = 8
/** Every mark is shorter than its text, so a longer script cannot belong to an item. */
export const scriptCharactersMax = 3_000_000

/** The source of a script: the item's author, an operator, the configured model, or the built-in enhancer. */
export const scriptMakers = ['author', 'operator', 'model', 'built-in'] as const
export type ScriptMaker = (typeof scriptMakers)[number]
/** People's scripts. Their marks are never lost without a notice. */
export const byPeople: readonly ScriptMaker[] = ['author', 'operator']
