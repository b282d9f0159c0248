/** Marks of a script and their limits. Browser-safe: no imports. */

/** Marks without a value that stand around text. */
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

/** A pause of a flow may be long; a longer one is a misplaced decimal point. */
export const pauseSecondsMax = 30
/** "Mara", "The ferryman": the speaker's name in the text. */
export const speakerCharactersMax = 40
/** Deeper nesting is unreadable. */
export const marksDepthMax = 8
/** Every mark is shorter than its text; a longer script is not one of an item. */
export const scriptCharactersMax = 3_000_000

/** The source of a script: the item's author, an operator, the configured model, or the built-in enhancer. */
export const scriptMakers = ['author', 'operator', 'model', 'built-in'] as const
export type ScriptMaker = (typeof scriptMakers)[number]
/** Of people: what they have marked is not lost without a word. */
export const byPeople: readonly ScriptMaker[] = ['author', 'operator']
