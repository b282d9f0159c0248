import { expect, test } from 'bun:test'
import { join } from 'node:path'

/** Code that uses storage without browser-storage.ts, and why no member's data remain in it. */
const exceptions: Record<string, string> = {
  'islands/analytics/storage.ts': 'Lists the names of its own.',
}

test('islands use web storage only through browser-storage.ts, which clears it at sign-out', async () => {
  const root = join(import.meta.dir, '../..')
  const found: string[] = []
  for await (const path of new Bun.Glob('islands/**/*.{ts,tsx}').scan(root)) {
    if (/\.test\.tsx?$/.test(path)) continue
    const code = (await Bun.file(join(root, path)).text()).replace(/^ *(\/\/|\/?\*).*$/gm, '')
    // A name in quotes is an argument of browser-storage.ts's functions.
    if (/(?<!['"])\b(local|session)Storage\b(?!['"])/.test(code)) found.push(path)
  }
  expect(found.sort()).toEqual(Object.keys(exceptions).sort())
})
