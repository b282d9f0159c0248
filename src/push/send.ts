import { generateRequestDetails } from 'web-push'
import { senderOf } from '#src/mail/deliver'
import { guardedFetch, OutgoingError } from '#src/outgoing/guarded-fetch'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { unseal } from '#src/sealed'
import { placeOf } from './add-device'
import type { SealedDevice } from './devices'
import { composeMessage, type PushMessage } from './message'
import { keptSeconds, type PushTopic, pushUrgency } from './rules'
import type { Subscription } from './schema'

type Needs = Pick<Parts, 'env' | 'secrets' | 'assets'>
export type SendOptions = { signal?: AbortSignal; timeoutMs?: number }

/** A push service answers in well under a second; nobody waits longer than this for one. */
const answerMs = 10_000
const answerBytesMax = 64 * 1_024
/** Longer than this nobody means to be asked to wait. */
const waitSecondsMax = 24 * 3_600

/**
 * Sends one message to one browser: encrypted for it alone (RFC 8291), signed as ours (RFC 8292), to the push
 * service that it named (RFC 8030). `gone`: nobody is there any longer. Throws `throttled` and `unavailable`, which
 * are tried again, and `invalid`, `too_large` or `not_configured` for good.
 */
export async function sendPush(
  parts: Needs,
  device: SealedDevice,
  { topic, path }: { topic: PushTopic; path: string },
  { signal, timeoutMs = answerMs }: SendOptions = {},
): Promise<'taken' | 'gone'> {
  const { env, assets } = parts
  const subscription = openSubscription(parts, device)
  const message = composeMessage(
    { topic, path, isDiscreet: device.isDiscreet },
    { siteName: env.siteName, icons: assets.manifest.files },
  )
  const { endpoint, method, headers, body } = generateRequestDetails(subscription, padded(message), {
    vapidDetails: { subject: `mailto:${senderOf(env).address}`, ...parts.secrets.push },
    TTL: keptSeconds[topic],
    urgency: pushUrgency[topic],
    // What waits there for a browser that is away is replaced by the next of its kind.
    topic,
  })
  const send = guardedFetch({
    trustedOrigins: env.allowPrivatePushUrls,
    timeoutMs,
    bytesMax: answerBytesMax,
  })
  const written = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  try {
    return readAnswer(await send(endpoint, { method, headers: written, body: new Uint8Array(body), signal }))
  } catch (error) {
    throw error instanceof OutgoingError ? refusalOf(error) : error
  }
}

function openSubscription({ secrets }: Pick<Needs, 'secrets'>, { id, sealed }: SealedDevice): Subscription {
  try {
    return JSON.parse(unseal(secrets.encryption, placeOf(id), sealed))
  } catch (cause) {
    throw new Refusal('not_configured', 'This browser was kept under another ENCRYPTION_KEY.', { cause })
  }
}

/** Of one length, whatever it is about: the push service learns nothing from its size. */
function padded(message: PushMessage): string {
  return JSON.stringify(message).padEnd(messageCharacters)
}

const messageCharacters = 512

/** What push services answer, after RFC 8030 §5 and §8.4 and what the large ones document. */
function readAnswer({ status, headers }: Response): 'taken' | 'gone' {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'))
  if (status === 429)
    throw new Refusal('throttled', 'The push service asks for patience (429).', { retryAfterSeconds })
  if (status >= 500)
    throw new Refusal('unavailable', `The push service does not work at the moment (${status}).`, {
      retryAfterSeconds,
    })
  if (status === 413)
    throw new Refusal('too_large', 'The push service says that the message is too long (413).')
  throw new Refusal('invalid', `The push service refused the message (${status}).`)
}

/** Seconds, or a moment (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(waitSecondsMax, Math.max(1, Math.ceil(seconds))) : undefined
}

/** Whose address it is stays in the log: the words are seen by members and operators. */
function refusalOf(cause: OutgoingError): Refusal {
  const isForGood = cause.reason === 'address' || cause.reason === 'redirect'
  return isForGood
    ? new Refusal('invalid', 'This is no address of a push service.', { cause })
    : new Refusal('unavailable', 'The push service does not answer.', { cause })
}
