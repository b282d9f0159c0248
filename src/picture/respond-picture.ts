import type { Services } from '#src/services'
import { isUnchanged, notModified } from '#src/storage/audio-answer'
import { findPicture, pictureHash } from './picture-cache'
import { busy } from './rasterise'
import { type Picture, pictureVersion, pictureWaitSeconds } from './rules'

type Asked = {
  request: Request
  /** Of the address: at its own version a picture never changes. */
  version: string | null
  /** Whether caches of many people may have it. */
  audience: 'public' | 'private'
}

/**
 * Answers with a picture as PNG. Where it is to be drawn first the answer waits for it; throws `unavailable` where that
 * takes too long, and goes on drawing.
 */
export async function respondPicture(
  services: Pick<Services, 'env' | 'stopping'>,
  picture: Picture,
  { request, version, audience }: Asked,
): Promise<Response> {
  const hash = pictureHash(picture)
  const age = version === pictureVersion(picture) ? 'max-age=31536000, immutable' : 'no-cache'
  const headers = new Headers({
    'content-type': 'image/png',
    'cache-control': `${audience}, ${age}`,
    etag: `"${hash}"`,
    ...(audience === 'private' && { 'x-robots-tag': 'noindex' }),
  })
  if (isUnchanged(hash, request)) return notModified(headers)
  const path = await withinSeconds(pictureWaitSeconds, findPicture(services, picture))
  return new Response(Bun.file(path), { headers })
}

async function withinSeconds<T>(seconds: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(busy()), seconds * 1_000)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
