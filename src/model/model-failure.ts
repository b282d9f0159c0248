import { HttpClientError } from '#src/http-client/guarded-fetch'
import { readRetryAfter } from '#src/text/retry-after'

export type ModelFailureKind =
  | 'key'
  | 'quota'
  | 'throttled'
  | 'timeout'
  | 'address'
  | 'unreachable'
  | 'unreadable'
  | 'server'
  | 'refused'

/**
 * A failed call of a model. `message` is for operators, says how to fix it and contains no key; `serverSaid` is the
 * server's own text, without any key that it repeats.
 */
export class ModelFailure extends Error {
  readonly kind: ModelFailureKind
  readonly serverSaid: string | null
  readonly retryAfterSeconds: number | undefined
  constructor(
    kind: ModelFailureKind,
    message: string,
    options: { serverSaid?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.serverSaid = options.serverSaid ?? null
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The failure for a response with a status other than 2xx. */
export function failureOfStatus(
  status: number,
  body: string,
  key: string,
  retryAfter: string | null,
): ModelFailure {
  const serverSaid = withoutKey(`${status}: ${body}`, key).slice(0, 500)
  const retryAfterSeconds = readRetryAfter(retryAfter, { atMost: 3_600 })
  if (status === 401 || status === 403)
    return new ModelFailure('key', `The key was refused (${status}). Copy it again.`, { serverSaid })
  if (status === 402 || /insufficient_quota/.test(body))
    return new ModelFailure('quota', `The account has no credit left (${status}).`, { serverSaid })
  if (status === 429)
    return new ModelFailure('throttled', 'The model is busy (429). Try again in a minute.', {
      serverSaid,
      retryAfterSeconds: retryAfterSeconds ?? 60,
    })
  if (status === 404)
    return new ModelFailure('address', 'There is no such model or address (404). Check both.', { serverSaid })
  return new ModelFailure('server', `The model's server answered ${status}.`, { serverSaid })
}

/** Converts any error of a call to a ModelFailure, except a cancellation. */
export function asModelFailure(error: unknown, key: string): unknown {
  if (error instanceof ModelFailure) return error
  const outgoingError = findHttpClientError(error)
  if (!outgoingError) return error
  const kind =
    outgoingError.reason === 'address' || outgoingError.reason === 'redirect' ? 'address' : 'unreachable'
  return new ModelFailure(
    outgoingError.reason === 'timeout' ? 'timeout' : kind,
    withoutKey(outgoingError.message, key),
    {
      cause: outgoingError,
    },
  )
}

/** Searches the causes of an error, since SDKs wrap the original one. */
function findHttpClientError(error: unknown): HttpClientError | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof HttpClientError) return each
  return null
}

/** Removes keys from a server's message: servers often repeat the refused key, or a part of it. */
function withoutKey(text: string, key: string): string {
  const plain = key.length >= 8 ? text.replaceAll(key, '…') : text
  return plain.replace(/\b(?:sk|rpa|rps|xi)[-_][\w*-]{4,}/g, '…')
}
