import { shorten } from '#src/text/shorten'
import { askModel } from './ask'
import { ModelFailure } from './model-failure'
import type { ModelAccess } from './question'
import { testSecondsMax } from './rules'

export type ModelTest =
  | { success: true; sampleOutput: string; responseTimeMs: number; tokens: number | null }
  | { success: false; failure: ModelFailure; responseTimeMs: number }

/** Asks a model for one sentence. A failing model is a result, not an error. */
export async function testModel(
  model: ModelAccess,
  { signal }: { signal?: AbortSignal } = {},
): Promise<ModelTest> {
  const startedAt = performance.now()
  const responseTimeMs = () => Math.round(performance.now() - startedAt)
  try {
    const { text, tokens } = await askModel(model, {
      system: 'You write tender, non-explicit prose about adults. Answer with one sentence.',
      prompt: 'The first sentence of a story about two adults and a lamp that was left on.',
      timeoutMs: testSecondsMax * 1_000,
      ...(signal && { signal }),
    })
    return {
      success: true,
      sampleOutput: shorten(text.trim(), 2_000),
      tokens,
      responseTimeMs: responseTimeMs(),
    }
  } catch (error) {
    if (error instanceof ModelFailure)
      return { success: false, failure: error, responseTimeMs: responseTimeMs() }
    throw error
  }
}
