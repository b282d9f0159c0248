import { type Narrator, narratorOfVoice, narrators } from '#src/narration/rules'

/** Limits of members' own items. Browser-safe. */

/**
 * About ten letters per word at the maximum number of words of a member's narration; longer words are not read aloud.
 */
export const creationCharactersMax = 60_000
/** Stories that one member may save in a day; nobody writes more by hand. */
export const creationsADay = 100
/** Calls for hints that one author may make in a minute. */
export const checksAMinute = 60
/** Words per minute of a member's text when narrated: 13.5 characters a second (src/narration/rules.ts). */
export const spokenWordsPerMinute = 145
/** The lengths of a draft, in minutes. The longest is the most that a model writes in one piece. */
export const draftMinutes = [5, 10, 15] as const

/** The minutes that a text takes to hear, at least one. */
export function spokenMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / spokenWordsPerMinute))
}

/** The states of an own item as the member sees them. */
export const ownStates = ['private', 'waiting', 'shared', 'held', 'refused'] as const
export type OwnState = (typeof ownStates)[number]

/** The values of the form for a text. */
export type Writing = { title: string; content: string; categories: readonly string[]; narrator: Narrator }

/** The form's values for an own item. */
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

/** The descriptions of the narrators to choose from. */
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
