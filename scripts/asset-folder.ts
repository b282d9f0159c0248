import { join, parse } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The files of one build. Each has the hash of its content in its name, and text also gets .br and .gz siblings. */
export type AssetFolder = {
  /** Writes a file under a name with the hash of its content, and returns that name. */
  add(name: string, content: string | Uint8Array): Promise<string>
  /** Writes a file whose name contains a hash already. */
  addNamed(name: string, content: string | Uint8Array): Promise<void>
  /** Resolves when all siblings are written. */
  compressed(): Promise<void>
  /** Returns one hash over all files. */
  hash(): string
}

/**
 * Opens an empty folder for one build. A file that `previous` contains compressed under the same name is not compressed
 * again.
 */
export function openAssetFolder(path: string, previous: string): AssetFolder {
  const names = new Set<string>()
  const compressing: Promise<void>[] = []

  async function addNamed(name: string, content: string | Uint8Array): Promise<void> {
    if (names.has(name)) return
    names.add(name)
    await Bun.write(join(path, name), content)
    if (compressible.test(name))
      compressing.push(writeSiblings(join(path, name), join(previous, name), content))
  }

  async function add(name: string, content: string | Uint8Array): Promise<string> {
    const { name: stem, ext } = parse(name)
    const hashed = `${stem}-${hashOf(content)}${ext}`
    await addNamed(hashed, content)
    return hashed
  }

  return {
    add,
    addNamed,
    async compressed() {
      await Promise.all(compressing)
    },
    hash: () => hashOf([...names].sort().join('\n')),
  }
}

/** Text formats. Fonts and pictures are compressed already. */
const compressible = /\.(css|js|svg|json|webmanifest|txt)$/

/**
 * Larger files get a lower quality, because the best one takes seconds for a megabyte. Only the API's documentation is
 * as large.
 */
const bestQualityBytesMax = 400 * 1024

async function writeSiblings(path: string, previous: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content)
  const quality = bytes.length > bestQualityBytesMax ? 6 : constants.BROTLI_MAX_QUALITY
  const options = {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_QUALITY]: quality },
  }
  await Promise.all([
    writeSibling('.br', () => brotli(bytes, options)),
    writeSibling('.gz', () => zip(bytes, { level: 9 })),
  ])

  async function writeSibling(ending: string, compress: () => Promise<Uint8Array>): Promise<void> {
    const previousFile = Bun.file(previous + ending)
    await Bun.write(path + ending, (await previousFile.exists()) ? previousFile : await compress())
  }
}

function hashOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 10)
}
