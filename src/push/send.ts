import { AppError } from '#src/app-error'
import { guardedFetch, HttpClientError } from '#src/http-client/guarded-fetch'
import { senderOf } from '#src/mail/deliver'
import { unseal } from '#src/security/encryption'
import type { Services } from '#src/services'
import { readRetryAfter } from '#src/text/retry-after'
import { placeOf } from './add-device'
import type { SealedDevice } from './devices'
import { composeMessage } from './message'
import { type PushTopic, pushUrgency, timeToLiveSeconds } from './rules'
import type { PushMessage, Subscription } from './schema'

type Needs = Pick<Services, 'env' | 'secrets' | 'assets'>
export type SendOptions = { signal?: AbortSignal; timeoutMs?: number }

/** Timeout; push services answer in well under a second. */
const answerMs = 10_000
const answerBytesMax = 64 * 1_024
/** The longest Retry-After that is honoured. */
const waitSecondsMax = 24 * 3_600

/**
 * Sends one message to one browser through its push service (RFC 8030), encrypted for this browser (RFC 8291) and
 * signed as ours (RFC 8292). Returns `gone` if the subscription has ended. Throws `throttled` and `unavailable`, which
 * are retried, and `invalid`, `too_large` or `not_configured`, which are not.
 */
export async function sendPush(
  services: Needs,
  device: SealedDevice,
  { topic, path }: { topic: PushTopic; path: string },
  { signal, timeoutMs = answerMs }: SendOptions = {},
): Promise<'taken' | 'gone'> {
  const { env, assets } = services
  const subscription = openSubscription(services, device)
  const message = composeMessage(
    { topic, path, isDiscreet: device.isDiscreet },
    { siteName: env.siteName, icons: assets.manifest.files },
  )
  const { generateRequestDetails } = await import('web-push')
  const { endpoint, method, headers, body } = generateRequestDetails(subscription, padded(message), {
    vapidDetails: { subject: `mailto:${senderOf(env).address}`, ...services.secrets.push },
    TTL: timeToLiveSeconds[topic],
    urgency: pushUrgency[topic],
    // A message that waits for an offline browser is replaced by the next one on its topic.
    topic,
  })
  const send = guardedFetch({
    trustedOrigins: env.allowPrivatePushUrls,
    timeoutMs,
    bytesMax: answerBytesMax,
    measuredAs: 'push',
  })
  const written = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  try {
    return readAnswer(await send(endpoint, { method, headers: written, body: new Uint8Array(body), signal }))
  } catch (error) {
    throw error instanceof HttpClientError ? refusalOf(error) : error
  }
}

function openSubscription({ secrets }: Pick<Needs, 'secrets'>, { id, sealed }: SealedDevice): Subscription {
  try {
    return JSON.parse(unseal(secrets.encryption, placeOf(id), sealed))
  } catch (cause) {
    throw new AppError('not_configured', 'This browser was kept under another ENCRYPTION_KEY.', { cause })
  }
}

/** Pads all messages to the same length, so that their size tells the push service nothing. */
function padded(message: PushMessage): string {
  return JSON.stringify(message).padEnd(messageCharacters)
}

const messageCharacters = 512

/** Interprets the response of a push service, by RFC 8030 §5 and §8.4 and the documentation of the large ones. */
function readAnswer({ status, headers }: Response): 'taken' | 'gone' {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), { atLeast: 1, atMost: waitSecondsMax })
  if (status === 429)
    throw new AppError('throttled', 'The push service asks for patience (429).', { retryAfterSeconds })
  if (status >= 500)
    throw new AppError('unavailable', `The push service does not work at the moment (${status}).`, {
      retryAfterSeconds,
    })
  if (status === 413)
    throw new AppError('too_large', 'The push service says that the message is too long (413).')
  throw new AppError('invalid', `The push service refused the message (${status}).`)
}

/** The error for members and operators. It does not name the host, which stays in the log. */
function refusalOf(cause: HttpClientError): AppError {
  const isForGood = cause.reason === 'address' || cause.reason === 'redirect'
  return isForGood
    ? new AppError('invalid', 'This is not the address of a push service.', { cause })
    : new AppError('unavailable', 'The push service does not answer.', { cause })
}
