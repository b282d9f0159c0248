import { type Narrator, narratorOfVoice, narrators } from '#src/narration/rules'

/** Business numbers of members' own items. Browser-safe. */

/**
 * About ten letters a word at the maximum number of words of a member's narration: longer words are not read aloud.
 */
export const creationCharactersMax = 60_000
/** Stories that one member may save in a day: more are not written by hand. */
export const creationsADay = 100
/** Hint calls of a writer, a minute. */
export const checksAMinute = 60
/** How long a member's text is when it is spoken: 13.5 characters a second (src/narration/rules.ts). */
export const spokenWordsPerMinute = 145
/** A draft's length in minutes: the longest is the most that a model writes in one piece. */
export const draftMinutes = [5, 10, 15] as const

/** Minutes that a text takes to hear, at least one. */
export function spokenMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / spokenWordsPerMinute))
}

/** The state of a member's own item, as the member sees it. */
export const ownStates = ['private', 'waiting', 'shared', 'held', 'refused'] as const
export type OwnState = (typeof ownStates)[number]

/** The values of the form in which a text is written. */
export type Writing = { title: string; content: string; categories: readonly string[]; narrator: Narrator }

/** Those of an own item. */
export function writingOf({
  title,
  content,
  categories,
  voice,
  narrator,
}: Omit<Writing, 'narrator'> & { voice: keyof typeof narratorOfVoice; narrator: string | null }): Writing {
  const known = narrators.find((each) => each === narrator)
  return { title, content, categories, narrator: known ?? narratorOfVoice[voice] }
}

/** The description of a narrator where one is chosen. */
export const narratorWords: Record<Narrator, string> = {
  rachel: 'Calm, low, close',
  bella: 'Soft, bright',
  elli: 'Light, near',
  serena: 'Warm, unhurried',
  antoni: 'Clear, near',
  josh: 'Young, soft',
  adam: 'Deep, even',
  domi: 'Premium, assured',
  alloy: 'Plain, steady',
  nova: 'Plain, lively',
}
