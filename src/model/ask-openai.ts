import { guardedFetch } from '#src/outgoing/guarded-fetch'
import type { ModelAccess, ModelAnswer, Question } from './ask'
import { failureOfStatus, ModelFailure } from './model-failure'

/** Asks a server that speaks OpenAI's chat completions. */
export async function askOpenAi(model: ModelAccess, question: Question): Promise<ModelAnswer> {
  // Loaded when it is needed: it takes a fifth of a second.
  const { default: OpenAI, APIError } = await import('openai')
  const client = new OpenAI({
    baseURL: model.url,
    // A server of one's own may want none, the SDK wants one.
    apiKey: model.apiKey || 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    // The guard's own limit comes first.
    timeout: question.timeoutMs + 1_000,
    logLevel: 'off',
    fetch: guardedFetch({ trustedOrigins: model.trustedOrigins, timeoutMs: question.timeoutMs }),
  })
  const ask = (schema: Question['schema']) =>
    client.chat.completions.create(
      {
        model: model.model,
        messages: [
          { role: 'system', content: question.system },
          { role: 'user', content: question.prompt },
        ],
        max_tokens: model.maxTokens,
        temperature: model.temperature,
        ...(schema && {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: schema.name, schema: { ...schema.schema }, strict: true },
          },
        }),
      },
      { signal: question.signal },
    )
  try {
    const schema = model.followsSchema ? question.schema : undefined
    const completion = await ask(schema).catch((error) => {
      // Not every server knows schemas; the prompt holds it too.
      if (schema && error instanceof APIError && error.status === 400) return ask(undefined)
      throw error
    })
    if (typeof completion !== 'object')
      throw new ModelFailure('unreadable', 'The server did not answer with JSON. Is the address right?')
    const choice = completion.choices?.[0]
    if (choice?.message?.refusal || choice?.finish_reason === 'content_filter')
      throw new ModelFailure('refused', 'The model declined to answer this.')
    return { text: choice?.message?.content ?? '', tokens: completion.usage?.total_tokens ?? null }
  } catch (error) {
    if (error instanceof APIError && error.status !== undefined)
      throw failureOfStatus(
        error.status,
        JSON.stringify(error.error) ?? error.message,
        model.apiKey,
        error.headers?.get('retry-after') ?? null,
      )
    if (error instanceof SyntaxError)
      throw new ModelFailure('unreadable', 'The server did not answer with JSON. Is the address right?', {
        cause: error,
      })
    throw error
  }
}
