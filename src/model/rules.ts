/** Business numbers and closed lists of the model configuration. Browser-safe: no imports. */

export const providers = ['openai', 'runpod'] as const
export type Provider = (typeof providers)[number]

/**
 * The range that models accept: fewer tokens cut a story off, and a temperature above 2 is refused by the providers.
 */
export const maxTokens = { min: 100, max: 8_000, default: 4_000 } as const
export const temperature = { min: 0, max: 2, step: 0.1, default: '0.8' } as const
export const testSecondsMax = 30
export const keyCharactersMax = 500
export const addressCharactersMax = 500
export const modelNameCharactersMax = 200

export const openaiUrlDefault = 'https://api.openai.com/v1'
/** Small, fast, and follows a schema; another one is named in the form or by OPENAI_MODEL. */
export const openaiModelDefault = 'gpt-4.1-mini'
/** A key is recognised by its end. */
export const keyEndCharacters = 4

/** The length of a draft in words: a longer one loses coherence, and costs tokens. */
export const draftWords = { min: 150, max: 2_000, default: 800 } as const
export const draftPromptCharactersMax = 4_000

type SavedKey = { hasKey: boolean; keyEnd: string | null }

/** "saved, ends in 9f3c": of a short key not even its end is known. */
export function keyWords({ hasKey, keyEnd }: SavedKey): string {
  if (!hasKey) return 'none'
  return keyEnd ? `saved, ends in ${keyEnd}` : 'saved'
}
