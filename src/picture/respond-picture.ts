import type { Services } from '#src/services'
import { isUnchanged, notModified } from '#src/storage/audio-answer'
import { findPicture, pictureHash } from './picture-cache'
import { busy } from './rasterise'
import { type Picture, pictureVersion, pictureWaitSeconds } from './rules'

type Asked = {
  request: Request
  /** The version in the address. With its own version a picture never changes. */
  version: string | null
  /** Whether shared caches may store it. */
  audience: 'public' | 'private'
}

/**
 * Responds with a picture as PNG, waiting for it to be drawn. Throws `unavailable` if that takes too long, while the
 * drawing goes on.
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
