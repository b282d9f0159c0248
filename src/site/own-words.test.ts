import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, markupOf, testApp } from '#src/testing'
import { renderMarkdown } from './markdown'
import { readOwnPage } from './own-words'

const { app, parts } = await testApp({ CONTACT_EMAIL: 'hello@example.com' })
const folder = join(parts.env.dataDir, 'pages')
mkdirSync(folder)
const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, `${name}.md`), text)
const page = async (path: string) => markupOf(await browser(app).call(path))

test('a file stands in for a built-in page, is read again when it changes, and gives way when it goes', async () => {
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

test('on a privacy page of one’s own the choice about being counted stays', async () => {
  write('privacy', '# Privacy')
  expect(await page('/privacy')).toContain('data-consent-choice')
  rmSync(join(folder, 'privacy.md'))
})

describe('a file that cannot be shown leaves the built-in page, and says why', () => {
  test.each([
    ['nothing in it', '  \n', 'It is empty.'],
    ['bytes that are no UTF-8', new Uint8Array([35, 32, 0xff, 0xfe]), 'It is not UTF-8.'],
    ['what is no text', 'a\0b', 'It is not a text.'],
    ['far too much', 'x'.repeat(600 * 1024), 'It has 600 KB; 512 KB is the most.'],
  ])('%s', async (_, text, problem) => {
    write('terms', text)
    expect(await readOwnPage(parts.env.dataDir, 'terms')).toEqual({ state: 'broken', problem })
    expect(await page('/terms')).toContain('Short, and meant as it stands.')
    rmSync(join(folder, 'terms.md'))
  })

  test('a folder', async () => {
    mkdirSync(join(folder, 'help.md'))
    expect(await readOwnPage(parts.env.dataDir, 'help')).toMatchObject({
      state: 'broken',
      problem: 'It is a folder.',
    })
    expect(await page('/help')).toContain('Leaving quickly')
    rmSync(join(folder, 'help.md'), { recursive: true })
  })
})

describe('nothing that an own page holds runs or calls elsewhere', () => {
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
  ])('%p', (text) => {
    const { html } = renderMarkdown(text)
    expect(html).not.toMatch(/<(script|img|style|div|iframe)\b/i)
    expect(html).not.toMatch(/<[^>]*\son\w+=(?![^<]*&quot;)/i)
    expect(html).not.toMatch(/href="(?!https?:|mailto:|\/|#)/i)
  })
})

test('Contact says where to write', async () => {
  expect(await page('/contact')).toContain('href="mailto:hello@example.com"')
})
