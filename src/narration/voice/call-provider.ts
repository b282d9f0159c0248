import { connect } from 'node:net'
import { AnswerTooLarge, limited } from '#src/http-client/limited'
import { measuredCall } from '#src/process/metrics'
import { traceHeaders } from '#src/process/trace'
import { readRetryAfter } from '#src/text/retry-after'
import { breakerFailed, breakerPassed, passBreaker } from './breaker'
import type { ProviderLimits } from './limits'
import { ProviderFailure } from './provider'

export type ProviderCall = {
  /** The provider's name in messages: "ElevenLabs". */
  name: string
  /** The environment variables that configure the provider. */
  keyVariable: string
  urlVariable: string
  url: string
  headers: Record<string, string>
  body: object
  /** Whether an error answer rejects the text rather than the call. */
  declines(status: number, text: string): boolean
  isProxied: boolean
}
export type ProviderAnswer = { type: string; bytes: Uint8Array<ArrayBuffer> }

/**
 * Sends one request and reads its answer. Retries temporary failures: 429, 5xx, a lost connection. Honours Retry-After
 * up to a few seconds. Throws ProviderFailure. After five failures in a row, a provider is not called for a minute.
 */
export async function callProvider(
  call: ProviderCall,
  limits: ProviderLimits,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const address = new URL(call.url).origin
  for (let attempt = 0; ; attempt += 1) {
    passBreaker(address, call.name)
    try {
      const answer = await measuredCall(new URL(address).host, () => sendOnce(call, limits, signal))
      breakerPassed(address)
      return answer
    } catch (error) {
      signal.throwIfAborted()
      const failure = error instanceof ProviderFailure ? error : lostConnection(call, error)
      const mayPass = failure.kind === 'busy' || failure.kind === 'away'
      if (mayPass) breakerFailed(address, failure.message, limits)
      const waitSeconds =
        failure.retryAfterSeconds ?? limits.backoffSeconds * 2 ** attempt * (0.5 + Math.random())
      if (!mayPass || attempt >= limits.retries || waitSeconds > limits.waitSecondsMax) throw failure
      await sleep(waitSeconds, signal)
    }
  }
}

async function sendOnce(
  call: ProviderCall,
  limits: ProviderLimits,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  if (!call.isProxied) await reach(call, limits.connectSeconds, signal)
  const timeout = AbortSignal.timeout(limits.totalSeconds * 1_000)
  const own = AbortSignal.any([signal, timeout])
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...Object.fromEntries(traceHeaders()), ...call.headers },
      body: JSON.stringify(call.body),
      // Redirects are not followed: the key is sent only to the operator's address.
      redirect: 'manual',
      signal: own,
    })
    const bytes = await limited(response, limits.answerBytesMax).bytes()
    if (!response.ok) throw refusalOf(call, response, new TextDecoder().decode(bytes.subarray(0, 20_000)))
    return { type: response.headers.get('content-type') ?? '', bytes }
  } catch (error) {
    if (error instanceof AnswerTooLarge)
      throw new ProviderFailure('answer', `${call.name} sent more data than any recording has.`)
    if (!timeout.aborted || signal.aborted) throw error
    throw new ProviderFailure('away', `${call.name} did not answer within ${limits.totalSeconds} s.`, {
      cause: error,
    })
  }
}

/** Opens a test connection, so that an unreachable host is detected after five seconds instead of two minutes. */
async function reach(
  { name, url, urlVariable }: ProviderCall,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port, protocol } = new URL(url)
  const reached = Promise.withResolvers<void>()
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    timeout: seconds * 1_000,
    signal,
  })
  socket.once('connect', () => reached.resolve())
  socket.once('timeout', () => reached.reject(new Error('The connection was not made in time.')))
  socket.once('error', reached.reject)
  try {
    await reached.promise
  } catch (error) {
    signal.throwIfAborted()
    throw new ProviderFailure('away', `${name} cannot be reached. Check the network, or ${urlVariable}.`, {
      cause: error,
    })
  } finally {
    socket.destroy()
  }
}

function refusalOf(call: ProviderCall, response: Response, text: string): ProviderFailure {
  const { name, keyVariable, urlVariable } = call
  const message = messageIn(text)
  const cause = new Error(`${response.status}: ${text.slice(0, 1_000)}`)
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'), { atMost: 3_600 })
  const failure = (kind: ProviderFailure['kind'], message: string) =>
    new ProviderFailure(kind, message, { cause, retryAfterSeconds })
  if (/quota_exceeded|insufficient_quota/.test(text))
    return failure('quota', `${name} has no credit left for this. Add some there, then try again.${message}`)
  if (call.declines(response.status, text))
    return failure('content', `${name} declines to speak this text.${message}`)
  if (response.status === 401 || response.status === 403)
    return failure('key', `${name} rejects the key. Set ${keyVariable} to a valid one.${message}`)
  if (response.status === 429) return failure('busy', `${name} has received too many requests.${message}`)
  if (response.status >= 500)
    return failure('away', `${name} has an internal error (${response.status}).${message}`)
  if (response.status === 404 || response.status < 400)
    return failure(
      'answer',
      `${name} does not know this address or voice (${response.status}). Check ${urlVariable} and the voice's id.${message}`,
    )
  return failure('answer', `${name} rejected the request (${response.status}).${message}`)
}

/** The provider's own error message, if its protocol has one. */
function messageIn(text: string): string {
  try {
    const body = JSON.parse(text)
    const message = body?.detail?.message ?? body?.error?.message ?? body?.message
    return typeof message === 'string' && message
      ? ` It says: ${message.replace(/\s+/g, ' ').slice(0, 300)}`
      : ''
  } catch {
    return ''
  }
}

function lostConnection({ name }: ProviderCall, cause: unknown): ProviderFailure {
  return new ProviderFailure('away', `The connection to ${name} was lost.`, { cause })
}

async function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  const sleeping = Promise.withResolvers<void>()
  const timer = setTimeout(sleeping.resolve, seconds * 1_000)
  const stop = () => sleeping.resolve()
  signal.addEventListener('abort', stop, { once: true })
  await sleeping.promise
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
}
