import type { TSchema } from 'typebox'
import { AppError } from '#src/app-error'
import { parseFormBody } from '#src/http/form-body'
import { parseJsonBody } from '#src/http/json-body'
import { createTimeSlicer } from '#src/process/time-slice'
import { requireShape } from '#src/shape/validate'
import type { Route } from './route'

/**
 * Refuses a request whose Content-Length is not a number, and a body that is too long by it. Later steps rely on the
 * header.
 */
export function guardBodyLength(request: Request, { bodyBytesMax = 0 }: Route): void {
  const length = statedLength(request) ?? 0
  if (hasBody(request) && length > bodyBytesMax) throw tooLarge(bodyBytesMax)
}

/**
 * The Content-Length in bytes; null if there is none. Throws `unreadable` if it is not one whole number: Bun joins two
 * equal lines to "5, 5".
 */
export function statedLength({ headers }: Request): number | null {
  const stated = headers.get('content-length')
  if (stated === null) return null
  if (!/^\d+$/.test(stated))
    throw new AppError('unreadable', 'Content-Length must be one whole number. Send it once.')
  return Number(stated)
}

/**
 * Reads the body of a JSON call or a form: limits its size, parses it, and validates JSON against the route's schema.
 * Undefined if there is none. A streamed upload is left to its handler, which has its own limits. The router's own
 * validation is not used: its error would repeat the refused values.
 */
export async function readBody(
  request: Request,
  route: Route,
  schema: TSchema | undefined,
): Promise<unknown> {
  if (!hasBody(request) || !route.body || route.body === 'stream') return undefined
  const bytes = await readBytes(request, route.bodyBytesMax ?? 0)
  const pause = createTimeSlicer()
  if (route.body === 'form') return parseFormBody(bytes, pause)
  const value = await parseJsonBody(bytes, route.membersMax, pause)
  await pause()
  if (schema) requireShape(schema, value)
  await pause()
  return value
}

function hasBody({ body, method }: Request): boolean {
  return body !== null && method !== 'GET' && method !== 'HEAD'
}

/**
 * Reads a body of at most `bytesMax`. `guardBodyLength` has refused a longer Content-Length; a body without one is
 * counted as it arrives. Throws `too_large`, and `unreadable` if it is not as long as stated, takes longer than
 * `secondsMax` or the client disconnects, which must not be logged and counted as our error.
 */
export async function readBytes(
  request: Request,
  bytesMax: number,
  secondsMax = secondsFor(bytesMax),
): Promise<Uint8Array> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new AppError('unreadable', 'The body arrived too slowly. Send it again.')),
    secondsMax * 1_000,
  )
  try {
    return await Promise.race([readAll(request, bytesMax), late.promise])
  } catch (error) {
    if (error instanceof AppError || !request.signal.aborted) throw error
    throw new AppError('unreadable', cutOff)
  } finally {
    clearTimeout(timer)
  }
}

const cutOff = 'The body was cut off. Send it again.'

/**
 * Timeout in seconds for a body of so many bytes. Until then, what has arrived is in memory, and a byte now and then
 * keeps the connection open: 1,500 unfinished forms of 1 MB from one client took 1.7 GB (measured). Bun frees them once
 * the request is answered.
 */
function secondsFor(bytes: number): number {
  return 30 + bytes / slowestBytesPerSecond
}

/** 128 kbit/s, less than a phone has at the edge of its network. */
const slowestBytesPerSecond = 16 * 1024

async function readAll(request: Request, bytesMax: number): Promise<Uint8Array> {
  const length = statedLength(request)
  if (length === null) return readChunks(request, bytesMax)
  if (length <= bytesAtOnce) return new Uint8Array(await request.arrayBuffer())
  return readLong(request, length)
}

/** Bodies up to this size are read at once. */
const bytesAtOnce = 256 * 1024

/**
 * Reads a body of a stated length into its place, with pauses. Bun's own reading moves everything that has arrived again
 * and again, so 32 MB blocked the event loop for 80 to 150 ms; in pieces, for 12 to 16 ms (measured). Memory of the
 * array is taken as it is filled.
 */
async function readLong(request: Request, length: number): Promise<Uint8Array> {
  const pause = createTimeSlicer()
  const all = new Uint8Array(length)
  let at = 0
  for await (const chunk of request.body ?? []) {
    if (at + chunk.byteLength > length)
      throw new AppError('unreadable', 'The body is longer than its Content-Length. Send it again.')
    all.set(chunk, at)
    at += chunk.byteLength
    await pause()
  }
  if (at !== length) throw new AppError('unreadable', cutOff)
  return all
}

async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(bytesMax: number): AppError {
  const size =
    bytesMax >= 1024 * 1024 ? `${Math.floor(bytesMax / 1024 / 1024)} MB` : `${Math.floor(bytesMax / 1024)} KB`
  return new AppError('too_large', `This is larger than ${size}, the limit here. Send less at once.`)
}
