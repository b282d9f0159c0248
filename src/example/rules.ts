/** Limits of training examples. Browser-safe: no imports. */

export const promptCharactersMax = 4_000
export const outputCharactersMax = 40_000
export const notesCharactersMax = 2_000
export const qualityRating = { min: 1, max: 5 } as const
/** The page shows the first ten; the call returns all. */
export const examplesShown = 10
export const examplesMax = 2_000

/** Examples in one prompt; more would leave no room for the text itself. */
export const promptExamplesMax = 3
export const promptExampleCharactersMax = 1_500
