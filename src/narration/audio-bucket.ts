import type { S3Client } from 'bun'
import { fileOfName } from './audio-folder'
import type { StoredAudio } from './storage'

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
