/** Marks of a script and their limits. Browser-safe: no imports. */

/** Marks without a value that stand around text. */
export const plainMarks = ['emphasis', 'whisper', 'slower', 'softer'] as const
export type PlainMark = (typeof plainMarks)[number]

/** What an `emotion` mark may name: what a narrator of these stories can show in the voice alone. */
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

/** A breath of a flow may be long; what is longer is a mistake in the decimals. */
export const pauseSecondsMax = 30
/** "Mara", "The ferryman": who speaks, as the text calls them. */
export const speakerCharactersMax = 40
/** Deeper than this nobody reads it any more. */
export const marksDepthMax = 8
/** Every mark is shorter than the text that it is written for; more than this is no script of an item. */
export const scriptCharactersMax = 3_000_000

/** Who made a script: the item's author, an operator, the configured model, or the built-in enhancer. */
export const scriptMakers = ['author', 'operator', 'model', 'built-in'] as const
export type ScriptMaker = (typeof scriptMakers)[number]
