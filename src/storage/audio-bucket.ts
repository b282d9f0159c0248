import { AwsClient } from 'aws4fetch'
import type { Env } from '#src/env'
import { limited } from '#src/http-client/limited'
import type { StoredAudio } from './audio-file'
import { fileOfName } from './audio-folder'
import type { ByteRange } from './byte-range'

/** A larger object is uploaded in parts of this size, so that only one part is in memory at a time. */
const partBytes = 8 * 1024 * 1024
/** Timeout of a call that writes. Uploading a part of 8 MB fits into it. */
const callSeconds = 120
/** Timeouts of reading; tests use their own. */
const bucketLimits = {
  /** Until a response begins, since a listener waits for it. */
  answerSeconds: 10,
  /**
   * Longest wait for a byte while an object is being read, and for a page of a list. A slow reader does not count as
   * silence of the store.
   */
  silenceSeconds: 30,
}
/**
 * Maximum length of a response that is not an object: a page of a list has up to 1,000 names of 1,024 bytes, with their
 * metadata.
 */
const textBytesMax = 8 * 1024 * 1024
/** Retries after 429 and 5xx, with growing waits. */
const retries = 3

/** The metadata of an object. */
export type BucketObject = { sizeBytes: number; modifiedAt: Date }

/**
 * A bucket of an S3-compatible store, with path-style addresses. Redirects are errors: Bun's own client follows them,
 * so a store could make us read, write and delete at any address that this machine can reach. Every call throws
 * `BucketError` for an error response, and whatever `fetch` throws.
 */
export function openBucket(
  { endpoint, publicEndpoint, bucket, region, ...keys }: NonNullable<Env['s3']>,
  { answerSeconds, silenceSeconds } = bucketLimits,
) {
  const client = new AwsClient({ ...keys, region, service: 's3', retries })
  const baseAt = (address: string) => `${address.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
  const base = baseAt(endpoint)
  const send = (method: string, path: string, { body, headers, signal }: Sent = {}) =>
    client.fetch(`${base}${path}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': hashOf(body) },
      redirect: 'error',
      ...(body && { body }),
      signal: signal ?? AbortSignal.timeout(callSeconds * 1_000),
    })
  const call = async (...sent: Parameters<typeof send>): Promise<string> => {
    const response = await send(...sent)
    const text = await limited(response, textBytesMax).text()
    // Completing a multipart upload may fail after the status 200 has been sent.
    if (!response.ok || text.includes('<Error>')) throw new BucketError(response.status, text)
    return text
  }
  const bucketOf = { send, call }
  return {
    async find(key: string): Promise<BucketObject | null> {
      const response = await send('HEAD', `/${key}`, { signal: AbortSignal.timeout(answerSeconds * 1_000) })
      if (response.status === 404) return null
      if (!response.ok) throw new BucketError(response.status, '')
      return objectOf(response)
    },
    /**
     * An object, or a range of it. Reading throws if the store falls silent; a slow reader has all the time it needs.
     */
    async open(
      key: string,
      range?: ByteRange,
    ): Promise<BucketObject & { chunks: ReadableStream<Uint8Array<ArrayBuffer>> }> {
      const headers = range && { range: `bytes=${range.from}-${range.to}` }
      const limit = new AbortController()
      const asked = send('GET', `/${key}`, { headers, signal: limit.signal })
      const response = await within(answerSeconds, asked, limit)
      const chunks = response.body && untilSilent(response.body, silenceSeconds, limit)
      if (response.ok && chunks) return { ...objectOf(response), chunks }
      throw new BucketError(response.status, await limited(new Response(chunks), textBytesMax).text())
    },
    /** A presigned address at which anybody can get an object for so many seconds. */
    async presign(key: string, seconds: number): Promise<string> {
      const address = `${baseAt(publicEndpoint ?? endpoint)}/${key}?X-Amz-Expires=${seconds}`
      return (await client.sign(address, { aws: { signQuery: true } })).url
    },
    async remove(key: string): Promise<void> {
      await call('DELETE', `/${key}`)
    },
    write: (key: string, path: string, type: string) => writeObject(bucketOf, key, Bun.file(path), type),
    /** All objects whose names are those of audio, or those in a folder. */
    list: (folder?: string) => listBucket(bucketOf, { folder, silenceSeconds }),
  }
}

/** Aborts the call if the store has not answered in time. */
function within<T>(seconds: number, answer: Promise<T>, limit: AbortController): Promise<T> {
  const end = () => limit.abort(new Error('The store does not answer.'))
  const waiting = setTimeout(end, seconds * 1_000)
  return answer.finally(() => clearTimeout(waiting))
}

function untilSilent(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  seconds: number,
  limit: AbortController,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await within(seconds, reader.read(), limit)
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the consumer asks for it.
    { highWaterMark: 0 },
  )
}

function objectOf({ headers }: Response): BucketObject {
  return {
    sizeBytes: Number(headers.get('content-length')),
    modifiedAt: new Date(headers.get('last-modified') ?? 0),
  }
}

type Sent = { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string>; signal?: AbortSignal }
type Calls = {
  send(method: string, path: string, sent?: Sent): Promise<Response>
  call(method: string, path: string, sent?: Sent): Promise<string>
}

/**
 * An error response of a store, with S3's error code. A successful response without the content that S3 sends comes
 * from another web server. It is an error too: audio would seem to be stored, or the bucket to be empty.
 */
class BucketError extends Error {
  readonly code: string
  constructor(status: number, text: string) {
    const isStranger = status < 300 && !text.includes('<Error>')
    super(
      isStranger ? 'What answers at S3_ENDPOINT is no S3-compatible store.' : `The store answered ${status}.`,
    )
    this.code = textIn(text, 'Code') ?? (status === 404 ? 'NoSuchKey' : `Status${status}`)
  }
}

async function writeObject(
  { send, call }: Calls,
  key: string,
  file: Bun.BunFile,
  type: string,
): Promise<void> {
  const headers = { 'content-type': type }
  /** Uploads bytes and returns their entity tag, which every store sends. */
  const put = async (address: string, sent: Sent) => {
    const answer = await send('PUT', address, sent)
    const text = await limited(answer, textBytesMax).text()
    const tag = answer.headers.get('etag')
    if (!answer.ok || tag === null) throw new BucketError(answer.status, text)
    return tag
  }
  if (file.size <= partBytes) return void (await put(`/${key}`, { body: await file.bytes(), headers }))
  const id = textIn(await call('POST', `/${key}?uploads=`, { headers }), 'UploadId')
  if (!id) throw new BucketError(200, '')
  const upload = `uploadId=${encodeURIComponent(id)}`
  try {
    const tags: string[] = []
    for (let at = 0; at < file.size; at += partBytes) {
      const body = await file.slice(at, at + partBytes).bytes()
      tags.push(await put(`/${key}?partNumber=${tags.length + 1}&${upload}`, { body }))
    }
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    await call('POST', `/${key}?${upload}`, { body: new TextEncoder().encode(list) })
  } catch (error) {
    // Uploaded parts are billed until the upload is aborted; a failure of the abort is ignored.
    await call('DELETE', `/${key}?${upload}`).catch(() => undefined)
    throw error
  }
}

/**
 * All objects of a bucket whose names are those of audio; a page has 1,000 names. Throws if a page ends with the same
 * name as the one before, as in a store that does not support `start-after`. Otherwise the same page would be read for
 * ever, and the audio missing from it would count as lost.
 */
async function* listBucket(
  { call }: Calls,
  { folder, silenceSeconds }: { folder: string | undefined; silenceSeconds: number },
): AsyncGenerator<StoredAudio> {
  const prefix = folder === undefined ? '' : `&prefix=${folder}%2F`
  let last = ''
  for (let isTruncated = true; isTruncated; ) {
    const from = last === '' ? '' : `&start-after=${encodeURIComponent(last)}`
    const signal = AbortSignal.timeout(silenceSeconds * 1_000)
    const page = await call('GET', `?list-type=2${prefix}${from}`, { signal })
    if (!page.includes('<ListBucketResult')) throw new BucketError(200, page)
    const objects = [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, contents = '']) => contents)
    isTruncated = textIn(page, 'IsTruncated') === 'true'
    const end = keyIn(objects.at(-1) ?? '')
    if (isTruncated && end === last)
      throw new Error('The store of S3_ENDPOINT lists the same names again: it does not know start-after.')
    last = end
    for (const contents of objects) {
      const key = keyIn(contents)
      const file = fileOfName(key.slice(key.lastIndexOf('/') + 1))
      if (file) yield { ...file, ...objectIn(contents) }
    }
  }
}

/** The name of an object. Names that others chose may have characters that XML escapes. */
function keyIn(contents: string): string {
  const key = textIn(contents, 'Key') ?? ''
  return key.replace(/&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|([a-z]+));/gi, (escaped, hex, decimal, name) =>
    name
      ? (entities[name] ?? escaped)
      : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function objectIn(contents: string): BucketObject {
  return {
    sizeBytes: Number(textIn(contents, 'Size') ?? 0),
    modifiedAt: new Date(textIn(contents, 'LastModified') ?? 0),
  }
}

/** The text of an XML element, still escaped; numbers, times and plain words have no escapes. */
function textIn(xml: string, element: string): string | null {
  return xml.match(new RegExp(`<${element}>([^<]*)</${element}>`))?.[1] ?? null
}

function hashOf(body: Uint8Array = new Uint8Array()): string {
  return new Bun.CryptoHasher('sha256').update(body).digest('hex')
}
