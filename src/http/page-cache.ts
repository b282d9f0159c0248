import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How long a visitor's page may be kept. Other processes (the CLI) are seen after this at the latest. */
const keptMs = 1_000
const entriesMax = 500

export type Encoding = 'br' | 'gzip' | 'identity'
export type KeptPage = {
  html: Uint8Array<ArrayBuffer>
  bodies: Partial<Record<Encoding, Promise<Uint8Array<ArrayBuffer>>>>
}
type Entry = { madeAt: number; page: Promise<KeptPage | null> }

/**
 * Pages that are the same for every visitor, kept compressed in memory for a second: a finished page is
 * twenty times faster than one rendered. Asked for by many at once, a page is made once.
 */
export function createPageCache(clock: () => number = performance.now.bind(performance)) {
  const entries = new Map<string, Entry>()
  return {
    /** The kept page of a key, made by `make` where there is none. A null of `make` is not kept. */
    async find(key: string, make: () => Promise<KeptPage | null>): Promise<KeptPage | null> {
      const kept = entries.get(key)
      if (kept && clock() - kept.madeAt < keptMs) return kept.page
      const page = make()
      entries.delete(key)
      entries.set(key, { madeAt: clock(), page })
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value ?? '')
      page.then((made) => made ?? entries.delete(key)).catch(() => entries.delete(key))
      return page
    },
    /** Forgets everything: after a change to the library. */
    clear: () => entries.clear(),
  }
}
export type PageCache = ReturnType<typeof createPageCache>

/** The body of a page in an encoding, compressed at most once. */
export function encodedBody(page: KeptPage, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  page.bodies[encoding] ??= compress(page.html, encoding)
  return page.bodies[encoding]
}

/** The best encoding that a browser takes. */
export function chooseEncoding(accepted: string | null): Encoding {
  if (!accepted) return 'identity'
  const taken = accepted.toLowerCase().split(',').map(takenName)
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : 'identity'
}

/** The name of an encoding in a list; none where its weight is 0, which means "not this one". */
function takenName(entry: string): string {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  return parameters.some((each) => /^q\s*=\s*0(\.0*)?$/.test(each)) ? '' : name
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Compresses for one answer: quick settings, since the page is new each time. */
export async function compress(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === 'identity') return bytes
  if (encoding === 'gzip') return new Uint8Array(await gzipped(bytes, { level: 4 }))
  return new Uint8Array(await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }))
}
