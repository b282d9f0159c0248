/** Narrators, voices and audio types. Browser-safe: no imports. */

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

/** The default narrators of `female` and `male`, unless the operator configures others. */
export const narratorOfVoice = { female: 'rachel', male: 'adam' } as const

const male: readonly string[] = ['antoni', 'josh', 'adam', 'alloy']

/** The voice that a narrator belongs to. */
export function voiceOfNarrator(narrator: string): 'female' | 'male' {
  return male.includes(narrator) ? 'male' : 'female'
}

export function narratorsOf(voice: 'female' | 'male'): readonly Narrator[] {
  return narrators.filter((narrator) => voiceOfNarrator(narrator) === voice)
}

/** A narrator's name for display: "Rachel". */
export function narratorName(narrator: string): string {
  return narrator.charAt(0).toUpperCase() + narrator.slice(1)
}

/** Accepted types of an upload, detected by its first bytes. Maps extensions to media types. */
export const audioTypes = { mp3: 'audio/mpeg', wav: 'audio/wav', m4a: 'audio/mp4' } as const
export type AudioExtension = keyof typeof audioTypes

/** Twelve hours at 128 kb/s are 660 MiB. A file above a gibibyte is not one narration. */
export const audioBytesMax = 1024 * 1024 * 1024

/** The providers, in the order in which they are tried. The last needs no key and no network. */
export const voiceProviders = ['elevenlabs', 'openai', 'built-in'] as const
export type VoiceProviderName = (typeof voiceProviders)[number]
export const providerNames: Record<VoiceProviderName, string> = {
  elevenlabs: 'ElevenLabs',
  openai: 'OpenAI',
  'built-in': 'the built-in voice',
}

/** Narrations that one address may prioritise in ten minutes. */
export const prioritizedMax = 20

/** About eleven hours of speech. A longer text has to be split. */
export const narrationWordsMax = 100_000
/** Characters synthesized while the caller waits: a few paragraphs. */
export const testCharactersMax = 5_000
/** Narrators compared in the voice lab. */
export const labNarratorsMax = 5
/** Speed of the built-in narrators, pauses included: the basis of estimated lengths. */
export const spokenCharactersPerSecond = 13.5
/** Bytes of temporary files per second of speech: 44 KB of samples and 16 KB of MP3. */
export const speakingBytesPerSecond = 60_000
