import type { S3Client } from 'bun'
import { Refusal } from '#src/refusal'
import { fileOfName } from './audio-folder'
import type { StoredAudio } from './storage'

/**
 * Passes a GET on to the store, which answers ranges itself, and its body back, as fast as the listener
 * takes it. `address` is presigned for this one answer and never leaves the program.
 */
export async function respondFromBucket(
  address: string,
  found: StoredAudio,
  headers: Headers,
  request: Request,
): Promise<Response> {
  const range = wantedRange(found, request)
  const answer = await fetch(address, {
    headers: range === null ? {} : { range },
    signal: request.signal,
    redirect: 'error',
  })
  headers.set('accept-ranges', 'bytes')
  if (answer.status === 416) {
    await answer.body?.cancel()
    headers.set('content-range', `bytes */${found.sizeBytes}`)
    return new Response(null, { status: 416, headers })
  }
  if (answer.status !== 200 && answer.status !== 206) {
    await answer.body?.cancel()
    throw new Refusal('unavailable', 'The narration cannot be reached for a moment. Please try again.', {
      cause: new Error(`The audio store answered ${answer.status} for ${found.hash}.${found.extension}.`),
      retryAfterSeconds: 5,
    })
  }
  for (const name of ['content-length', 'content-range']) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}

/** The range to ask for: none where If-Range names another version, or where there are several. */
function wantedRange({ hash, modifiedAt }: StoredAudio, request: Request): string | null {
  const range = request.headers.get('range')
  const condition = request.headers.get('if-range')
  const isSame = condition === null || condition === `"${hash}"` || condition === modifiedAt.toUTCString()
  return range !== null && isSame && /^bytes=(\d+-\d*|-\d+)$/.test(range) ? range : null
}

/** Everything in a bucket that is named as we name audio; a page has 1,000 names. */
export async function* listBucket(client: S3Client): AsyncGenerator<StoredAudio> {
  let startAfter: string | undefined
  do {
    const page = await client.list(startAfter === undefined ? {} : { startAfter })
    for (const { key, size, lastModified } of page.contents ?? []) {
      const file = fileOfName(key.slice(key.lastIndexOf('/') + 1))
      if (file) yield { ...file, sizeBytes: size ?? 0, modifiedAt: new Date(lastModified ?? 0) }
    }
    startAfter = page.isTruncated ? page.contents?.at(-1)?.key : undefined
  } while (startAfter !== undefined)
}
