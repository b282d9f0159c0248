import { join, parse } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The files of one build: their content names them, and text gets its .br and .gz siblings. */
export type AssetFolder = {
  /** Writes a file under a name with the hash of its content and says that name. */
  add(name: string, content: string | Uint8Array): Promise<string>
  /** Writes a file whose name holds a hash already. */
  addNamed(name: string, content: string | Uint8Array): Promise<void>
  /** Resolves when every sibling is written. */
  compressed(): Promise<void>
  /** One hash over all files. */
  hash(): string
}

/** An empty folder for one build. */
export function openAssetFolder(path: string): AssetFolder {
  const names = new Set<string>()
  const compressing: Promise<void>[] = []

  async function addNamed(name: string, content: string | Uint8Array): Promise<void> {
    if (names.has(name)) return
    names.add(name)
    await Bun.write(join(path, name), content)
    if (compressible.test(name)) compressing.push(writeSiblings(join(path, name), Buffer.from(content)))
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

/** Fonts and pictures are compressed already. */
const compressible = /\.(css|js|svg|json|webmanifest|txt)$/

async function writeSiblings(path: string, content: Buffer): Promise<void> {
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  const [small, zipped] = await Promise.all([brotli(content, options), zip(content, { level: 9 })])
  await Promise.all([Bun.write(`${path}.br`, small), Bun.write(`${path}.gz`, zipped)])
}

function hashOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 10)
}
