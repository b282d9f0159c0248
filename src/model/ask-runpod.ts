import { guardedFetch, HttpClientError } from '#src/http-client/guarded-fetch'
import { failureOfStatus, ModelFailure } from './model-failure'
import type { ModelAccess, ModelAnswer, Question } from './question'

const pollMs = 1_000

/**
 * Sends a question by RunPod's own API. /runsync answers at once, or says that the job waits, for example while a
 * worker starts; then /status is polled until the job is done.
 */
export async function askRunPod(model: ModelAccess, question: Question): Promise<ModelAnswer> {
  const deadline = performance.now() + question.timeoutMs
  const base = model.url.replace(/\/(?:runsync|run)$/, '')
  const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const timeoutMs = Math.max(1, deadline - performance.now())
    const fetch = guardedFetch({ trustedOrigins: model.trustedOrigins, timeoutMs })
    const response = await fetch(`${base}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${model.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      ...(question.signal && { signal: question.signal }),
    })
    const text = await response.text()
    if (!response.ok)
      throw failureOfStatus(response.status, text, model.apiKey, response.headers.get('retry-after'))
    return readObject(text)
  }
  let job = await call('/runsync', {
    input: {
      messages: [
        { role: 'system', content: question.system },
        { role: 'user', content: question.prompt },
      ],
      sampling_params: { max_tokens: model.maxTokens, temperature: model.temperature },
    },
  })
  while (job.status === 'IN_QUEUE' || job.status === 'IN_PROGRESS') {
    if (typeof job.id !== 'string') throw new ModelFailure('unreadable', 'RunPod named no job.')
    if (performance.now() + pollMs > deadline)
      throw new HttpClientError(
        'timeout',
        `The model took longer than ${question.timeoutMs / 1_000} seconds.`,
      )
    await Bun.sleep(pollMs)
    question.signal?.throwIfAborted()
    job = await call(`/status/${encodeURIComponent(job.id)}`)
  }
  if (job.status !== 'COMPLETED')
    throw new ModelFailure(
      'server',
      `RunPod ended the job: ${String(job.status ?? 'no status').slice(0, 40)}.`,
    )
  return { text: textOf(job.output) ?? '', tokens: null }
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Handled below, like any other invalid answer.
  }
  throw new ModelFailure('unreadable', 'The server did not answer with JSON. Is the address right?')
}

/** The first text at one of the known paths of the output, whose shape differs between workers. */
function textOf(output: unknown): string | null {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) {
    if (output.every((each) => typeof each === 'string')) return output.join('')
    return output.map(textOf).find((each) => each !== null) ?? null
  }
  if (typeof output !== 'object' || output === null) return null
  const fields = new Map<string, unknown>(Object.entries(output))
  for (const name of [
    'content',
    'text',
    'message',
    'choices',
    'tokens',
    'response',
    'output',
    'generated_text',
  ]) {
    const text = textOf(fields.get(name))
    if (text !== null) return text
  }
  return null
}
