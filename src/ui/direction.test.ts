import { expect, test } from 'bun:test'

/** Inputs that no person writes text in, or whose content has no direction: numbers, addresses, keys, choices. */
const undirected = /type="(?:hidden|checkbox|radio|file|range|email|password|number|url|submit)"|readOnly/

test('every field for free text has a dir attribute', async () => {
  const without: string[] = []
  for await (const path of new Bun.Glob('{src,islands}/**/*.tsx').scan()) {
    const source = await Bun.file(path).text()
    for (const [tag] of source.matchAll(/<(?:input|textarea)\b(?:[^>]|=>)*>/g))
      if (!undirected.test(tag) && !/\bdir=/.test(tag)) without.push(`${path}: ${tag.slice(0, 120)}`)
  }
  expect(without).toEqual([])
})
