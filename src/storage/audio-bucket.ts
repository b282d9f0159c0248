import { AwsClient } from 'aws4fetch'
import type { Env } from '#src/env'
import { limited } from '#src/http-client/limited'
import type { StoredAudio } from './audio-file'
import { fileOfName } from './audio-folder'
import type { ByteRange } from './byte-range'

/** A larger object goes in parts, so that the memory of one part is enough for all of it. */
const partBytes = 8 * 1024 * 1024
/** Timeout of a call with a short answer; sending a part of 8 MB takes no longer either. */
const callSeconds = 120
/** Tests use their own. */
const bucketLimits = {
  /** Until an answer begins: a listener waits for it. */
  answerSeconds: 10,
  /** Without a byte, while one is asked for: a slow reader is no silence. */
  silenceSeconds: 30,
}
/** A page of a list has 1,000 names of at most 1,024 bytes, and what belongs to them. */
const wordsBytesMax = 8 * 1024 * 1024
/** Retries of a busy store (429, 5xx), with growing waits. */
const retries = 3

/** The metadata of an object. */
export type BucketObject = { sizeBytes: number; modifiedAt: Date }

/**
 * A bucket of an S3-compatible store, by its path. Redirects are errors: Bun's own client follows them, so that a
 * store could make us read, write and delete at any address that this machine reaches. Every call throws
 * `BucketError` for an error answer, and what `fetch` throws.
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
    const text = await limited(response, wordsBytesMax).text()
    // An upload that is put together at the end may fail under a 200 that was sent already.
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
     * An object, or a range of it. Reading it throws where the store falls silent; how long it takes is up to its
     * reader.
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
      throw new BucketError(response.status, await limited(new Response(chunks), wordsBytesMax).text())
    },
    /** An address at which anybody may get an object for so long. */
    async presign(key: string, seconds: number): Promise<string> {
      const address = `${baseAt(publicEndpoint ?? endpoint)}/${key}?X-Amz-Expires=${seconds}`
      return (await client.sign(address, { aws: { signQuery: true } })).url
    },
    async remove(key: string): Promise<void> {
      await call('DELETE', `/${key}`)
    },
    write: (key: string, path: string, type: string) => writeObject(bucketOf, key, Bun.file(path), type),
    /** All objects with a name of audio, or those in a folder. */
    list: (folder?: string) => listBucket(bucketOf, folder),
  }
}

/** Waits for the store so long, and then ends the call. */
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
    // Nothing is asked for ahead of its reader.
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
 * An error answer of a store; its code is S3's own. One that says that all is well, without what S3 answers then, is of
 * another web server: its answers would pass for audio that was stored, and for an empty bucket.
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
  /** Returns the entity tag, which every store gives what it has stored. */
  const put = async (address: string, sent: Sent) => {
    const answer = await send('PUT', address, sent)
    const text = await limited(answer, wordsBytesMax).text()
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
 * All objects in a bucket with a name of audio; a page has 1,000 names. Throws where the next page ends with the name
 * of the one before, as with a store that does not know `start-after`: it would be asked for that page for ever, and
 * what is left out would pass for audio that is gone.
 */
async function* listBucket({ call }: Calls, folder?: string): AsyncGenerator<StoredAudio> {
  const prefix = folder === undefined ? '' : `&prefix=${folder}%2F`
  let last = ''
  for (let isTruncated = true; isTruncated; ) {
    const from = last === '' ? '' : `&start-after=${encodeURIComponent(last)}`
    const page = await call('GET', `?list-type=2${prefix}${from}`)
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

/** The name of an object. Those of others may have characters that XML escapes. */
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

/** The text of an element: as it is escaped, which numbers, times and words are not. */
function textIn(xml: string, element: string): string | null {
  return xml.match(new RegExp(`<${element}>([^<]*)</${element}>`))?.[1] ?? null
}

function hashOf(body: Uint8Array = new Uint8Array()): string {
  return new Bun.CryptoHasher('sha256').update(body).digest('hex')
}
