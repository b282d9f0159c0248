import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleServer } from './bundle-server'

const folder = await mkdtemp(join(tmpdir(), 'nocturne-bundle-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a bundle keeps the previous one’s files, removes older ones, and finds files by relative paths', async () => {
  await Bun.write(join(folder, 'chunk-last.js'), '')
  await Bun.write(join(folder, 'chunk-before.js'), '')
  await Bun.write(join(folder, 'files.json'), JSON.stringify(['main.js', 'chunk-last.js']))
  await bundleServer(folder)
  const names = await readdir(folder)
  expect(names).toContain('main.js')
  expect(names).toContain('chunk-last.js')
  expect(names).not.toContain('chunk-before.js')
  expect(names.filter((name) => name.endsWith('.next'))).toEqual([])

  const scripts = names.filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(scripts.map((name) => Bun.file(join(folder, name)).text()))
  const places = texts.flatMap((text) => [...text.matchAll(/import\.meta\.dir(?: \+ "([^"]+)")?/g)])
  expect(places.length).toBeGreaterThan(3)
  for (const [, place = 'none'] of places) expect(existsSync(join(folder, place)) || place).toBe(true)
  // An absolute path of the machine that built the bundle would be wrong on any other.
  const elsewhere = texts.map((text) => text.replaceAll(/import\.meta\.dir \+ "[^"]+"/g, ''))
  expect(elsewhere.filter((text) => text.includes(join(import.meta.dir, '..')))).toEqual([])
})
