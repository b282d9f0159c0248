import type { StoredAudio } from './audio-file'

type Sized = Pick<StoredAudio, 'hash' | 'sizeBytes'>

/** Both ends are included, as in the header. */
export type ByteRange = { from: number; to: number }

/**
 * Parses the range of a request (RFC 9110, 14). Null if the whole file is to be sent: without a range, with an
 * unreadable one, with several, and with an If-Range for another version. `outside` if no byte of it is in the file.
 */
export function byteRangeOf({ headers }: Request, file: Sized): ByteRange | 'outside' | null {
  const ifRange = headers.get('if-range')
  if (ifRange !== null && ifRange !== `"${file.hash}"`) return null
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return null
  const end = file.sizeBytes - 1
  if (first === '')
    return Number(last) === 0 ? 'outside' : { from: Math.max(0, end + 1 - Number(last)), to: end }
  const range = { from: Number(first), to: last === '' ? end : Math.min(end, Number(last)) }
  if (last !== '' && Number(last) < range.from) return null
  return range.from > end ? 'outside' : range
}

/** How many bytes the response to a range has. */
export function sizeOf(range: ReturnType<typeof byteRangeOf>, { sizeBytes }: Sized): number {
  if (range === 'outside') return 0
  return range === null ? sizeBytes : range.to - range.from + 1
}
