import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const makesCache = /\bnew LRUCache\b|(?<!function )\b(staleWhileRevalidate|cacheLargeCounts|memoize)[<(]/
/** Caches written by hand on the server. Those in browsers are not listed. */
const madeByHand = /\bconst freshMs\b/

test('docs/caches.md lists exactly the files that contain a cache', async () => {
  const found: string[] = []
  for await (const path of new Bun.Glob('{src,islands,cli,db}/**/*.{ts,tsx}').scan(root)) {
    if (/\.test\.tsx?$/.test(path) || path === 'src/process/cache.ts') continue
    const source = await Bun.file(join(root, path)).text()
    if (makesCache.test(source) || (path.startsWith('src/') && madeByHand.test(source))) found.push(path)
  }
  const page = await Bun.file(join(root, 'docs/caches.md')).text()
  const listed = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path)
  expect(listed.sort()).toEqual(found.sort())
})
