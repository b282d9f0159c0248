import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { chooseEncoding } from '#src/http/encoding'
import type { Manifest } from '#src/ui/manifest'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.html': 'text/html; charset=utf-8',
}

type Asset = { type: string; body: Record<string, Uint8Array<ArrayBuffer>> }

/**
 * The output of `bun run build`, held in memory. File names contain a hash, so responses may be cached for ever. No
 * file outside the build folder is served.
 */
export function loadAssets(folder: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const files = new Map<string, Asset>()
  for (const name of readdirSync(join(folder, 'assets'))) {
    const extension = extname(name)
    const encoding = extension === '.br' ? 'br' : extension === '.gz' ? 'gzip' : 'identity'
    const plain = encoding === 'identity' ? name : name.slice(0, -3)
    const asset = files.get(plain) ?? { type: types[extname(plain)] ?? 'application/octet-stream', body: {} }
    asset.body[encoding] = new Uint8Array(readFileSync(join(folder, 'assets', name)))
    files.set(plain, asset)
  }
  return {
    manifest,
    /** The response for `/assets/{name}`, or null if there is no such file. */
    respond(name: string, acceptedEncodings: string | null): Response | null {
      const asset = files.get(name)
      if (!asset) return null
      const wanted = chooseEncoding(acceptedEncodings)
      const encoding = asset.body[wanted] ? wanted : 'identity'
      const headers: Record<string, string> = {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      }
      if (encoding !== 'identity') headers['content-encoding'] = encoding
      return new Response(asset.body[encoding] ?? null, { headers })
    },
  }
}
export type Assets = ReturnType<typeof loadAssets>
