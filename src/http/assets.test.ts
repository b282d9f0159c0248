import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadAssets } from '#src/http/assets'
import { createApp } from '#src/server/app'
import { browser, testApp } from '#src/testing/app'

const folder = mkdtempSync(join(tmpdir(), 'nocturne-assets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'assets'))
const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
write('secret.txt', 'out of reach')
write(
  'manifest.json',
  JSON.stringify({
    build: 'b',
    styles: 'look-1.css',
    consoleStyles: 'look-1.css',
    loader: 'load-1.js',
    islands: {},
    islandCodes: {},
    preload: { fonts: [], icons: 'icons.svg', chunks: {} },
    files: {},
  }),
)
write('assets/look-1.css', 'plain')
write('assets/look-1.css.br', 'as br')
write('assets/look-1.css.gz', 'as gzip')
write('assets/font-1.woff2', 'font')
write('assets/load-1.js', 'script')
write('assets/odd-1.xyz', 'odd')

const { services } = await testApp({ AGE_GATE: 'confirm' })
const app = createApp({ ...services, assets: loadAssets(folder) })

test('an asset is publicly cached as immutable, under its own content type', async () => {
  for (const [name, type] of [
    ['look-1.css', 'text/css; charset=utf-8'],
    ['load-1.js', 'text/javascript; charset=utf-8'],
    ['font-1.woff2', 'font/woff2'],
    ['odd-1.xyz', 'application/octet-stream'],
  ]) {
    const { status, headers } = await browser(app).call(`/assets/${name}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type ?? '')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('vary')).toBe('accept-encoding')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.getSetCookie()).toEqual([])
  }
})

test('an asset is sent compressed when the build has it so and the browser accepts it', async () => {
  const ask = async (name: string, accepted: string) => {
    const response = await browser(app).call(`/assets/${name}`, { headers: { 'accept-encoding': accepted } })
    return [response.headers.get('content-encoding'), await response.text()]
  }
  // The bytes are those of the build: this only tests which encoding of them is sent.
  expect((await ask('look-1.css', 'identity'))[1]).toBe('plain')
  expect(await ask('font-1.woff2', 'br, gzip')).toEqual([null, 'font'])
  const { respond } = loadAssets(folder)
  for (const [accepted, encoding, body] of [
    ['br, gzip', 'br', 'as br'],
    ['gzip', 'gzip', 'as gzip'],
    ['br;q=0, gzip', 'gzip', 'as gzip'],
    ['deflate', null, 'plain'],
  ] as const) {
    const response = respond('look-1.css', accepted)
    expect(response?.headers.get('content-encoding') ?? null).toBe(encoding)
    expect(await response?.text()).toBe(body)
  }
})

test.each([
  '/assets/',
  '/assets/nothing.js',
  '/assets/../secret.txt',
  '/assets/..%2fsecret.txt',
  '/assets/%2e%2e/secret.txt',
  '/assets/....//secret.txt',
  '/assets//look-1.css',
  '/assets/look-1.css/',
  '/assets/LOOK-1.css',
  '/assets/look-1.css%00',
  '/assets/look-1.css.br',
  '/assets/look-1.css.gz',
  '/assets/manifest.json',
  '/assets/constructor',
  '/assets/__proto__',
  '/assets/.env',
  '/manifest.json',
])('%s returns 404', async (path) => {
  const response = await browser(app).call(path)
  expect(response.status).toBe(404)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(await response.text()).not.toContain('out of reach')
})

test('a symbolic link created after the start is not served', async () => {
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'assets/later-1.css'))
  expect((await browser(app).call('/assets/later-1.css')).status).toBe(404)
})
