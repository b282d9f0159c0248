import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { AppError } from '#src/app-error'
import { statedLength } from '#src/http/read-body'
import { audioBytesMax } from '#src/narration/rules'
import { createTimeSlicer } from '#src/process/time-slice'
import type { Services } from '#src/services'
import { refusedField } from '#src/shape/invalid-field'
import type { StagedFile } from '#src/storage/staging'
import { shorten } from '#src/text/shorten'

export type UploadLimits = {
  /** The accepted file fields, and the maximum number of files of each. */
  fields: Readonly<Record<string, number>>
  /** Maximum size of one file in bytes; a gibibyte by default. */
  fileBytesMax?: number
  /** Maximum size of the whole body in bytes; two gibibytes by default. */
  bodyBytesMax?: number
}
export type ReceivedFile = { field: string; fileName: string; staged: StagedFile; sizeBytes: number }
export type Upload = { fields: Map<string, string>; files: ReceivedFile[] }

/** Uploads at once. A disk serves a few writers well; a fifth upload is refused. */
export const uploadsMax = 4
const bodyBytesMax = 2 * 1024 * 1024 * 1024
/** A sender that sends no data for this long is disconnected. */
const silenceSeconds = 60
const partLimits = { fields: 50, fieldSize: 64 * 1024, parts: 5_000, headerPairs: 20, headerSize: 8 * 1024 }

let uploadsRunning = 0

/**
 * Streams a multipart/form-data request into staged files, one after the other, no faster than the disk writes them.
 * The route must not parse the body (`parse: 'none'`). The caller stores or discards the files. On any failure, or when
 * the sender disconnects, all of them are discarded. Throws `unavailable` while four uploads run or if the stated size
 * does not fit on the disk, `too_large`, `invalid` for an unknown field, and `unreadable`.
 */
export async function receiveUpload(
  { storage }: Pick<Services, 'storage'>,
  request: Request,
  limits: UploadLimits,
): Promise<Upload> {
  if (uploadsRunning >= uploadsMax) {
    throw new AppError('unavailable', 'Other uploads are running. Please try again in a moment.', {
      retryAfterSeconds: 10,
    })
  }
  uploadsRunning += 1
  try {
    await storage.requireRoom(statedLength(request) ?? 0)
    return await receiveParts(storage, request, limits)
  } finally {
    uploadsRunning -= 1
  }
}

async function receiveParts(
  storage: Services['storage'],
  request: Request,
  limits: UploadLimits,
): Promise<Upload> {
  const upload: Upload = { fields: new Map(), files: [] }
  const counts = new Map<string, number>()
  const streams: BusboyFileStream[] = []
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const parser = await openParser(request, failed.reject)
  let receiving = Promise.resolve()

  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) failed.reject(new AppError('too_large', `${name.slice(0, 50)} is longer than allowed here.`))
    upload.fields.set(name, value)
  })
  parser.on('file', (field, stream, fileName) => {
    // Without a listener, an error of a stream that has no reader yet would end the process.
    stream.on('error', () => undefined)
    streams.push(stream)
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    const refusal = refuseField(field, count, limits)
    if (refusal) return failed.reject(refusal)
    receiving = receiving.then(async () => {
      const staged = await storage.receive(stream, limits.fileBytesMax ?? audioBytesMax)
      // The user left a file input empty.
      if (!fileName && staged.sizeBytes === 0) return storage.discard(staged)
      upload.files.push({
        field,
        fileName: shorten(fileName ?? '', 255),
        staged,
        sizeBytes: staged.sizeBytes,
      })
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

async function openParser(request: Request, fail: (error: AppError) => void): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  const contentType = request.headers.get('content-type') ?? ''
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits: partLimits })
    const many = () => fail(new AppError('too_large', 'The form has too many parts.'))
    parser.on('fieldsLimit', many).on('partsLimit', many)
    parser.on('error', (error) => fail(unreadable(error)))
    return parser
  } catch (error) {
    throw unreadable(error)
  }
}

function refuseField(field: string, count: number, { fields }: UploadLimits): AppError | null {
  const path = String(field).slice(0, 50)
  const max = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (max === undefined) {
    const message = `Send the file as ${Object.keys(fields).join(' or ')}.`
    return refusedField(path, message)
  }
  if (count <= max) return null
  const message = max === 1 ? 'Send one file.' : `Send at most ${max} files at once.`
  return new AppError('too_large', message, { fields: [{ path, message }] })
}

/** Writes the body to the parser chunk by chunk, each after the previous one was processed. */
async function pump(
  body: ReadableStreamDefaultReader<Uint8Array>,
  parser: BusboyInstance,
  bytesMax: number,
): Promise<void> {
  const pause = createTimeSlicer()
  let bytes = 0
  for (;;) {
    const { done, value } = await readOrGiveUp(body)
    if (done) return endParser(parser)
    bytes += value.byteLength
    if (bytes > bytesMax) {
      throw new AppError('too_large', 'This is too much at once. Send it in smaller parts.')
    }
    for (let from = 0; from < value.byteLength; from += parsedBytes) {
      await pause()
      await write(parser, value.subarray(from, from + parsedBytes))
    }
  }
}

/** Bytes parsed at once. A body full of near-boundaries then costs the parser milliseconds at most. */
const parsedBytes = 64 * 1024

function write(parser: BusboyInstance, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    parser.write(bytes, (error) => (error ? reject(unreadable(error)) : resolve())),
  )
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
    throw error instanceof AppError ? error : unreadable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Whether an error is an AppError or comes from the disk. Other errors come from the request. */
function isOurs(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && 'syscall' in error)
}

function unreadable(cause: unknown): AppError {
  return new AppError('unreadable', 'The upload was cut off or could not be read. Please send it again.', {
    cause,
  })
}
