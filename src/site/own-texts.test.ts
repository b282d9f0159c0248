import { afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '#src/process/log'
import { createApp } from '#src/server/app'
import { browser, markupOf, testApp } from '#src/testing/app'
import { renderMarkdown } from './markdown'
import { readOwnPage } from './own-texts'

const { services } = await testApp({ CONTACT_EMAIL: 'hello@example.com' })
const logged: object[] = []
const log = createLog('warn', (line) => void logged.push(JSON.parse(line)))
const app = createApp({ ...services, log })
const folder = join(services.env.dataDir, 'pages')
mkdirSync(folder)
const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, `${name}.md`), text)
const page = async (path: string) => markupOf(await browser(app).call(path))

test('an operator’s file replaces a built-in page until it is removed, and is read again when it changes', async () => {
  for (const [name, builtIn] of [
    ['privacy', 'Who else sees it'],
    ['terms', 'Short, and meant as it stands.'],
    ['help', 'Leaving quickly'],
  ] as const) {
    expect(await page(`/${name}`)).toContain(builtIn)
    write(
      name,
      '# Our own words\n\nWe keep *nothing*.\n\n## Content notes\n\n| What | Kept |\n|---|---|\n| Log | 7 days |\n',
    )
    const own = await page(`/${name}`)
    expect(own).not.toContain(builtIn)
    expect(own).toContain('<h1 class="title-lg">Our own words</h1>')
    expect(own).toContain('<title>Our own words – Nocturne</title>')
    expect(own).toContain('<p>We keep <em>nothing</em>.</p>')
    expect(own).toContain('<h2 id="content-notes">Content notes</h2>')
    expect(own).toContain('<td>7 days</td>')
    write(name, 'Other words, without a title.')
    expect(await page(`/${name}`)).toContain('Other words, without a title.')
    rmSync(join(folder, `${name}.md`))
    expect(await page(`/${name}`)).toContain(builtIn)
  }
})

test('an operator’s privacy page keeps the consent choice', async () => {
  write('privacy', '# Privacy')
  expect(await page('/privacy')).toContain('data-consent-choice')
  rmSync(join(folder, 'privacy.md'))
})

describe('built-in page', () => {
  test.each([
    ['only white space', '  \n', 'It is empty.'],
    ['invalid UTF-8', new Uint8Array([35, 32, 0xff, 0xfe]), 'It is not UTF-8.'],
    ['a NUL character', 'a\0b', 'It is not a text.'],
    ['more than 512 KB', 'x'.repeat(600 * 1024), 'It has 600 KB; at most 512 KB are allowed.'],
  ])('is shown, and the problem reported, when the operator’s file has %s', async (_, text, problem) => {
    write('terms', text)
    expect(await readOwnPage(services.env.dataDir, 'terms')).toEqual({ state: 'broken', problem })
    expect(await page('/terms')).toContain('Short, and meant as it stands.')
    rmSync(join(folder, 'terms.md'))
  })

  test('is shown, and the problem reported, when the operator’s file is a folder', async () => {
    mkdirSync(join(folder, 'help.md'))
    expect(await readOwnPage(services.env.dataDir, 'help')).toMatchObject({
      state: 'broken',
      problem: 'It is a folder.',
    })
    expect(await page('/help')).toContain('Leaving quickly')
    rmSync(join(folder, 'help.md'), { recursive: true })
  })
})

describe('operator’s page file', () => {
  const path = join(folder, 'privacy.md')
  const canary = 'a canary that belongs to nobody who reads'
  const outside = join(services.env.dataDir, 'admin-token')
  writeFileSync(outside, canary)

  const isBuiltIn = async (problem: string) => {
    for (let visit = 0; visit < 3; visit += 1) {
      const shown = await page('/privacy')
      expect(shown).toContain('Who else sees it')
      expect(shown).not.toContain(canary)
      expect(shown).not.toContain('root:')
    }
    expect(await readOwnPage(services.env.dataDir, 'privacy')).toEqual({ state: 'broken', problem })
    // Each problem of a file is logged once, however often the page is requested.
    expect(logged.filter((line) => Bun.deepMatch({ path, problem }, line))).toHaveLength(1)
  }
  afterEach(() => rmSync(path, { recursive: true, force: true }))

  test.each([
    ['the system’s password file', '/etc/passwd'],
    ['the operator’s token', outside],
    ['the operator’s token by a relative path', '../admin-token'],
    ['an endless device', '/dev/zero'],
    ['a kernel file', '/proc/self/environ'],
  ])('is rejected and logged once when it is a link to %s', async (_, target) => {
    symlinkSync(target, path)
    await isBuiltIn('It leads out of its folder.')
  })

  test('is rejected and logged once when it is a link to a link out of the folder', async () => {
    symlinkSync(outside, join(folder, 'between.md'))
    symlinkSync('between.md', path)
    await isBuiltIn('It leads out of its folder.')
    rmSync(join(folder, 'between.md'))
  })

  test('is rejected and logged once when it is a link to itself', async () => {
    symlinkSync('privacy.md', path)
    await isBuiltIn('It is a link to itself.')
  })

  test('is rejected and logged once when it is a pipe', async () => {
    expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0)
    await isBuiltIn('It is no ordinary file.')
  })

  test('is rejected and logged once when it is a gigabyte large', async () => {
    writeFileSync(path, '')
    truncateSync(path, 1024 ** 3)
    await isBuiltIn('It has 1048576 KB; at most 512 KB are allowed.')
  })

  test('may be a link within the folder, as mounted volumes make them', async () => {
    mkdirSync(join(folder, '..2026_11_22'))
    writeFileSync(join(folder, '..2026_11_22', 'privacy.md'), '# From a volume')
    symlinkSync('..2026_11_22', join(folder, '..data'))
    symlinkSync('..data/privacy.md', path)
    expect(await page('/privacy')).toContain('From a volume')
    for (const name of ['..data', '..2026_11_22']) rmSync(join(folder, name), { recursive: true })
  })

  test('is read when the folder itself is a link', async () => {
    const elsewhere = `${folder}-elsewhere`
    renameSync(folder, elsewhere)
    symlinkSync(elsewhere, folder)
    writeFileSync(join(elsewhere, 'privacy.md'), '# Kept elsewhere')
    expect(await page('/privacy')).toContain('Kept elsewhere')
    rmSync(folder)
    renameSync(elsewhere, folder)
  })
})

describe('Markdown of an operator’s page', () => {
  test.each([
    '<script>window.hit=1</script>',
    '<img src=x onerror=window.hit=1>',
    '<a href="javascript:window.hit=1">x</a>',
    '[x](javascript:window.hit=1)',
    '[x](JaVaScRiPt:window.hit=1)',
    '[x](java&#x0A;script:window.hit=1)',
    '[x](data:text/html,<script>1</script>)',
    '[x](vbscript:x)',
    '![x](https://elsewhere.example/x.png)',
    '![x](javascript:1)',
    '<https://a.example/"onmouseover="x>',
    '[x](https://a.example "\\" onmouseover=\\"x")',
    '# x <script>1</script>\n<style>*{}</style>',
    '## "><script>1</script>',
    '<div\nonclick=x>',
    '[x](data:image/svg+xml;base64,PHN2Zz4=)',
    '[x]: javascript:window.hit=1\n\n[x]',
    '<javascript:window.hit=1>',
    '[x](\\x01javascript:window.hit=1)',
    '[x](javascript&colon;window.hit=1)',
    '![x](data:image/png;base64,iVBORw0KGgo=)',
    '![x][y]\n\n[y]: https://elsewhere.example/x.png',
    '<iframe src="https://elsewhere.example"></iframe>',
    '<svg/onload=window.hit=1>',
    '```"><script>1</script>\nx\n```',
    '# <img src=x onerror=1>',
  ])('contains no script, foreign image or unsafe link for %p', (text) => {
    const { html } = renderMarkdown(text)
    expect(html).not.toMatch(/<(script|img|style|div|iframe)\b/i)
    expect(html).not.toMatch(/<[^>]*\son\w+=(?![^<]*&quot;)/i)
    expect(html).not.toMatch(/href="(?!https?:|mailto:|\/|#)/i)
  })
})

test('a table in an operator’s page contains no script or image', () => {
  const { html } = renderMarkdown('|<script>1</script>|\n|---|\n|<img src=x onerror=1>|')
  expect(html).not.toMatch(/<(script|img)\b/i)
})

test('Contact links to the contact address', async () => {
  expect(await page('/contact')).toContain('href="mailto:hello@example.com"')
})
