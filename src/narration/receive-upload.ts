import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { audioBytesMax } from './rules'
import type { StagedFile } from './staging'

export type UploadLimits = {
  /** The file fields that are taken, and how many files each of them may have. */
  fields: Readonly<Record<string, number>>
  /** Of one file; a gibibyte unless said otherwise. */
  fileBytesMax?: number
  /** Of all of it together; unless said otherwise two gibibytes. */
  bodyBytesMax?: number
}
export type ReceivedFile = { field: string; fileName: string; staged: StagedFile; sizeBytes: number }
export type Upload = { fields: Map<string, string>; files: ReceivedFile[] }

/** A disk serves a few writers well; the fifth is asked to come back. */
export const uploadsMax = 4
const bodyBytesMax = 2 * 1024 * 1024 * 1024
/** A sender that is silent for so long has gone. */
const silenceSeconds = 60
const partLimits = { fields: 50, fieldSize: 64 * 1024, parts: 5_000, headerPairs: 20, headerSize: 8 * 1024 }

let uploadsRunning = 0

/**
 * Streams a multipart/form-data request into staged files, one after the other, no faster than the disk
 * takes them; the route has to leave the body alone (`parse: 'none'`). The caller keeps or discards what it
 * gets. Whatever fails, or when the sender goes away, everything is discarded. Throws `unavailable` while
 * four uploads run, `too_large`, `invalid` for a field that is not taken, and `unreadable`.
 */
export async function receiveUpload(
  { storage }: Pick<Parts, 'storage'>,
  request: Request,
  limits: UploadLimits,
): Promise<Upload> {
  if (uploadsRunning >= uploadsMax) {
    throw new Refusal('unavailable', 'Other uploads are running. Please try again in a moment.', {
      retryAfterSeconds: 10,
    })
  }
  uploadsRunning += 1
  try {
    return await receiveParts(storage, request, limits)
  } finally {
    uploadsRunning -= 1
  }
}

async function receiveParts(
  storage: Parts['storage'],
  request: Request,
  limits: UploadLimits,
): Promise<Upload> {
  const upload: Upload = { fields: new Map(), files: [] }
  const counts = new Map<string, number>()
  const streams: BusboyFileStream[] = []
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const parser = openParser(request, failed.reject)
  let receiving = Promise.resolve()

  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) failed.reject(new Refusal('too_large', `${name.slice(0, 50)} is longer than is taken here.`))
    upload.fields.set(name, value)
  })
  parser.on('file', (field, stream, fileName) => {
    // Without a listener, the error of a stream that nobody reads yet would end the process.
    stream.on('error', () => undefined)
    streams.push(stream)
    if (!fileName) return void stream.resume()
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    const refusal = refuseField(field, count, limits)
    if (refusal) return failed.reject(refusal)
    receiving = receiving.then(async () => {
      const staged = await storage.receive(stream, limits.fileBytesMax ?? audioBytesMax)
      upload.files.push({ field, fileName: fileName.slice(0, 255), staged, sizeBytes: staged.sizeBytes })
    })
    receiving.catch((error) => failed.reject(isOurs(error) ? error : unreadable(error)))
  })

  const body = request.body?.getReader()
  try {
    const finished = new Promise<void>((resolve) => parser.once('finish', () => resolve()))
    const read = body ? pump(body, parser, limits.bodyBytesMax ?? bodyBytesMax) : endParser(parser)
    await Promise.race([failed.promise, read.then(() => finished).then(() => receiving)])
    return upload
  } catch (error) {
    parser.destroy()
    for (const stream of streams) stream.destroy(error instanceof Error ? error : undefined)
    await body?.cancel().catch(() => undefined)
    await receiving.catch(() => undefined)
    for (const { staged } of upload.files) await storage.discard(staged)
    throw error
  }
}

function openParser(request: Request, fail: (error: Refusal) => void): BusboyInstance {
  const contentType = request.headers.get('content-type') ?? ''
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits: partLimits })
    const many = () => fail(new Refusal('too_large', 'The form has more parts than are taken at once.'))
    parser.on('fieldsLimit', many).on('partsLimit', many)
    parser.on('error', (error) => fail(unreadable(error)))
    return parser
  } catch (error) {
    throw unreadable(error)
  }
}

function refuseField(field: string, count: number, { fields }: UploadLimits): Refusal | null {
  const path = String(field).slice(0, 50)
  const max = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (max === undefined) {
    const message = `Send the file as ${Object.keys(fields).join(' or ')}.`
    return new Refusal('invalid', message, { fields: [{ path, message }] })
  }
  if (count <= max) return null
  const message = max === 1 ? 'Send one file.' : `Send at most ${max} files at once.`
  return new Refusal('too_large', message, { fields: [{ path, message }] })
}

/** Gives the parser chunk after chunk, each when it has dealt with the one before. */
async function pump(
  body: ReadableStreamDefaultReader<Uint8Array>,
  parser: BusboyInstance,
  bytesMax: number,
): Promise<void> {
  let bytes = 0
  for (;;) {
    const { done, value } = await readOrGiveUp(body)
    if (done) return endParser(parser)
    bytes += value.byteLength
    if (bytes > bytesMax) {
      throw new Refusal('too_large', 'This is more than is taken at once. Send it in smaller parts.')
    }
    await new Promise<void>((resolve, reject) =>
      parser.write(value, (error) => (error ? reject(unreadable(error)) : resolve())),
    )
  }
}

async function endParser(parser: BusboyInstance): Promise<void> {
  parser.end()
}

async function readOrGiveUp(body: ReadableStreamDefaultReader<Uint8Array>) {
  const silence = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => silence.reject(unreadable(new Error(`The sender was silent for ${silenceSeconds} s.`))),
    silenceSeconds * 1_000,
  )
  try {
    return await Promise.race([body.read(), silence.promise])
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** A refusal, or a disk that failed; anything else went wrong in what was sent. */
function isOurs(error: unknown): boolean {
  return error instanceof Refusal || (error instanceof Error && 'syscall' in error)
}

function unreadable(cause: unknown): Refusal {
  return new Refusal('unreadable', 'The upload broke off or could not be read. Please send it again.', {
    cause,
  })
}
