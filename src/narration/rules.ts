/** Narrators, voices and what counts as audio. Browser-safe: no imports. */

export const narrators = [
  'rachel',
  'bella',
  'elli',
  'serena',
  'antoni',
  'josh',
  'adam',
  'domi',
  'alloy',
  'nova',
] as const
export type Narrator = (typeof narrators)[number]

/** `female` and `male` are spoken by these unless the operator says otherwise (product.md §2). */
export const narratorOfVoice = { female: 'rachel', male: 'adam' } as const

const male: readonly string[] = ['antoni', 'josh', 'adam', 'alloy']

/** The voice a narrator is filed under. */
export function voiceOfNarrator(narrator: string): 'female' | 'male' {
  return male.includes(narrator) ? 'male' : 'female'
}

/** The narrators of a voice. */
export function narratorsOf(voice: 'female' | 'male'): readonly Narrator[] {
  return narrators.filter((narrator) => voiceOfNarrator(narrator) === voice)
}

/** "Rachel": a narrator's name as it is shown. */
export function narratorName(narrator: string): string {
  return narrator.charAt(0).toUpperCase() + narrator.slice(1)
}

/** What an upload may be, by its first bytes: extension → the type it is served as. */
export const audioTypes = { mp3: 'audio/mpeg', wav: 'audio/wav', m4a: 'audio/mp4' } as const
export type AudioExtension = keyof typeof audioTypes

/** Twelve hours at 128 kb/s are 660 MiB; beyond a gibibyte it is not one narration. */
export const audioBytesMax = 1024 * 1024 * 1024

/** Whose voices there are, in the order in which they are tried. The last needs no key and no network. */
export const voiceProviders = ['elevenlabs', 'openai', 'built-in'] as const
export type VoiceProviderName = (typeof voiceProviders)[number]
export const providerNames: Record<VoiceProviderName, string> = {
  elevenlabs: 'ElevenLabs',
  openai: 'OpenAI',
  'built-in': 'the built-in voice',
}

/** About eleven hours of speech; what is longer is cut into parts. */
export const narrationWordsMax = 100_000
/** What is spoken while somebody waits for it: a few paragraphs. */
export const testCharactersMax = 5_000
/** Narrators side by side in the voice lab. */
export const labNarratorsMax = 5
/** Speech of the built-in narrators, with its pauses: what an estimate of the length is made of. */
export const spokenCharactersPerSecond = 13.5
