import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { importJWK, jwtVerify } from 'jose'
import { AppError } from '#src/app-error'
import { failJob, finishJob, returnJob, takeJob } from '#src/job/lease'
import { RetryLater } from '#src/job/run-job'
import type { Services } from '#src/services'
import { pushHandler } from './deliver'
import { pushKind } from './queue'
import type { PushMessage } from './schema'

/** A browser by RFC 8291, with its own keys, the only ones that decrypt its messages. */
export function testBrowserKeys() {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    /** Decrypts the message in a body by RFC 8188 and RFC 8291 §4. Throws for another recipient's message. */
    read(body: Uint8Array): PushMessage {
      const bytes = Buffer.from(body)
      const salt = bytes.subarray(0, 16)
      const recordBytes = bytes.readUInt32BE(16)
      const idBytes = bytes.readUInt8(20)
      const senderKey = bytes.subarray(21, 21 + idBytes)
      const record = bytes.subarray(21 + idBytes)
      if (record.length > recordBytes) throw new Error('There is more than one record.')
      const derive = (ikm: Buffer, from: Buffer, info: Buffer | string, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, from, info, length))
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const ikm = derive(pair.computeSecret(senderKey), auth, info, 32)
      const key = derive(ikm, salt, 'Content-Encoding: aes128gcm\0', 16)
      const nonce = derive(ikm, salt, 'Content-Encoding: nonce\0', 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      // The last record ends with a 2, followed by zeros as padding.
      const end = padded.lastIndexOf(2)
      if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('No last record.')
      return JSON.parse(padded.subarray(0, end).toString())
    },
  }
}

export type ReceivedPush = { path: string; headers: Headers; body: Uint8Array }
type Answer = (path: string) => Response | Promise<Response>

/**
 * Starts a push service on this machine (RFC 8030). It accepts messages that are signed for it (RFC 8292) and state a
 * TTL; `answer` makes it misbehave.
 */
export function openPushService(publicKey: string) {
  const received: ReceivedPush[] = []
  let answer: Answer = () => new Response(null, { status: 201, headers: { location: '/message/1' } })
  const server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request): Promise<Response> {
      const { pathname, origin } = new URL(request.url)
      const { headers } = request
      const isSigned = await isSignedFor(origin, headers.get('authorization') ?? '', publicKey)
      if (!isSigned) return new Response('Whose is this?', { status: 403 })
      const isWhole =
        request.method === 'POST' &&
        /^\d+$/.test(headers.get('ttl') ?? '') &&
        headers.get('content-encoding') === 'aes128gcm'
      if (!isWhole) return new Response('What is this?', { status: 400 })
      received.push({ path: pathname, headers, body: await request.bytes() })
      return answer(pathname)
    },
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    received,
    answerWith(next: Answer) {
      answer = next
    },
    stop: () => server.stop(true),
  }
}

/**
 * Checks the header of RFC 8292: `vapid t=<JWT>, k=<key>`, for this origin, valid for at most a day, with a contact.
 */
async function isSignedFor(origin: string, authorization: string, publicKey: string): Promise<boolean> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== publicKey) return false
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: part(point, 1), y: part(point, 33) }
  try {
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
      audience: origin,
      algorithms: ['ES256'],
    })
    const secondsLeft = (payload.exp ?? 0) - Date.now() / 1_000
    return secondsLeft > 0 && secondsLeft <= 24 * 3_600 && /^mailto:.+@.+$/.test(payload.sub ?? '')
  } catch {
    return false
  }
}

function part(point: Buffer, from: number): string {
  return point.subarray(from, from + 32).toString('base64url')
}

/** A time zone in which it is this hour now. */
export function zoneWhere(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  // The sign in these names is inverted.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Attempts each waiting notification once, as the worker would; returns the results. */
export async function sendDuePushes(
  services: Services,
  options: Parameters<typeof pushHandler>[1] = {},
): Promise<string[]> {
  const send = pushHandler(services, options)
  const came: string[] = []
  const control = { signal: new AbortController().signal, progress: () => {} }
  await services.db.execute(
    sql`update jobs set run_after = now() where kind = ${pushKind} and state = 'queued'`,
  )
  for (;;) {
    const job = await takeJob(services.db, [pushKind])
    if (!job) return came
    try {
      const result = await send(job, control)
      await finishJob(services.db, job, result)
      came.push((result as { sentTo: string }).sentTo)
    } catch (error) {
      if (error instanceof RetryLater) await returnJob(services.db, job, error.afterSeconds)
      else if (error instanceof AppError)
        await failJob(
          services.db,
          job,
          error.message,
          error.code === 'throttled' || error.code === 'unavailable' ? { afterSeconds: 3_600 } : 'no',
        )
      else throw error
      came.push(error.message)
    }
  }
}
