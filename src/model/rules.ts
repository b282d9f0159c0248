/** Limits and lists of values of the model configuration. Browser-safe: no imports. */

export const providers = ['openai', 'runpod'] as const
export type Provider = (typeof providers)[number]

/** The ranges that models accept: fewer tokens cut a story off, and providers refuse a temperature above 2. */
export const maxTokens = { min: 100, max: 8_000, default: 4_000 } as const
export const temperature = { min: 0, max: 2, step: 0.1, default: '0.8' } as const
export const testSecondsMax = 30
export const keyCharactersMax = 500
export const addressCharactersMax = 500
export const modelNameCharactersMax = 200

export const openaiUrlDefault = 'https://api.openai.com/v1'
/** A small, fast model that follows schemas; the form or OPENAI_MODEL can name another. */
export const openaiModelDefault = 'gpt-4.1-mini'
/** How many last characters of a key are shown, so that operators recognise it. */
export const keyEndCharacters = 4

/** The length of a draft in words: a longer one loses coherence and costs tokens. */
export const draftWords = { min: 150, max: 2_000, default: 800 } as const
export const draftPromptCharactersMax = 4_000

type SavedKey = { hasKey: boolean; keyEnd: string | null }

/** "saved, ends in 9f3c"; for a short key, not even its end is shown. */
export function keyWords({ hasKey, keyEnd }: SavedKey): string {
  if (!hasKey) return 'none'
  return keyEnd ? `saved, ends in ${keyEnd}` : 'saved'
}
