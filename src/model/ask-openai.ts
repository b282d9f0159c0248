import { guardedFetch } from '#src/http-client/guarded-fetch'
import { failureOfStatus, ModelFailure } from './model-failure'
import type { ModelAccess, ModelAnswer, Question } from './question'

/** Sends a question to a server with OpenAI's chat completions API. */
export async function askOpenAi(model: ModelAccess, question: Question): Promise<ModelAnswer> {
  // Loaded on demand, since loading takes a fifth of a second.
  const { default: OpenAI, APIError } = await import('openai')
  const client = new OpenAI({
    baseURL: model.url,
    // A self-hosted server may need no key, but the SDK requires one.
    apiKey: model.apiKey || 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    // A second longer than the guard's time limit, which applies first.
    timeout: question.timeoutMs + 1_000,
    logLevel: 'off',
    fetch: guardedFetch({ trustedOrigins: model.trustedOrigins, timeoutMs: question.timeoutMs }),
  })
  const complete = (schema: Question['schema']) =>
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
    const completion = await complete(schema).catch((error) => {
      // Not every server supports schemas, so the prompt contains it too.
      if (schema && error instanceof APIError && error.status === 400) return complete(undefined)
      throw error
    })
    if (typeof completion !== 'object') throw noJson()
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
    if (error instanceof SyntaxError) throw noJson(error)
    throw error
  }
}

function noJson(cause?: unknown): ModelFailure {
  return new ModelFailure('unreadable', 'The server did not answer with JSON. Is the address right?', {
    cause,
  })
}
