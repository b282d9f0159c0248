import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '..')
const pages = [...(await readAll('*.md')), ...(await readAll('docs/**/*.md'))]
const sources = await readAll('{src,islands,cli,db,scripts,e2e}/**/*.{ts,tsx,css,sql}')

async function readAll(pattern: string): Promise<{ path: string; text: string }[]> {
  const paths = (await Array.fromAsync(new Bun.Glob(pattern).scan(root))).sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })))
}

/** Returns the names of files that a page or comment mentions and that do not exist, as `page: name`. */
function missing(
  list: typeof pages,
  names: RegExp,
  placeOf: (path: string, name: string) => string,
): string[] {
  return list.flatMap(({ path, text }) =>
    [...text.matchAll(names)]
      .map(([, name = '']) => name)
      .filter((name) => !existsSync(join(root, placeOf(path, name))))
      .map((name) => `${path}: ${name}`),
  )
}

test('every relative link in the documentation leads to an existing file', () => {
  const links = /\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g
  expect(missing(pages, links, (path, name) => join(dirname(path), name))).toEqual([])
})

test('every file named in the documentation exists', () => {
  const names = /`((?:src|islands|cli|db|scripts|docs|e2e)\/[a-z0-9./-]+)`/g
  expect(missing(pages, names, (_, name) => name)).toEqual([])
})

test('every documentation page named in a comment exists', () => {
  expect(missing(sources, /\b(docs\/[a-z0-9/-]+\.md)/g, (_, name) => name)).toEqual([])
})

test('every decision record is listed in docs/decisions/README.md', async () => {
  const list = await Bun.file(join(root, 'docs/decisions/README.md')).text()
  const records = new Bun.Glob('0*.md').scan(join(root, 'docs/decisions'))
  for await (const record of records) expect(list).toContain(`(${record})`)
})
