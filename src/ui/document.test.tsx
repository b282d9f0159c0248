import { expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import { Document } from '#src/ui/document'
import type { Manifest } from '#src/ui/manifest'
import { Shell } from '#src/ui/shell'
import type { Viewer } from '#src/ui/viewer'

const manifest: Manifest = {
  build: 'b1',
  styles: 's.css',
  consoleStyles: 'c.css',
  loader: 'l.js',
  analytics: 'visits.js',
  worker: 'worker.js',
  offline: [],
  islands: {},
  islandCodes: {},
  preload: { fonts: [], icons: 'icons.svg', chunks: {} },
  files: {},
}
const visitor: Viewer = {
  siteName: 'Nocturne',
  marketingUrl: 'https://example.com',
  theme: null,
  member: null,
  isOperator: false,
  freeStoriesLeft: 3,
  manifest,
}

function render(viewer: Partial<Viewer> = {}): string {
  const whole = { ...visitor, ...viewer }
  return renderToString(
    <Document
      siteName="Nocturne"
      theme={whole.theme}
      manifest={manifest}
      frame="shell"
      meta={{ title: 'Explore Audios', structuredData: { name: '</script>' } }}
    >
      <Shell viewer={whole} section="explore">
        <h1>Explore Audios</h1>
      </Shell>
    </Document>,
  )
}

test('a page says that it is for adults, and holds nothing that its policy forbids', () => {
  const html = render()
  expect(html).toContain('<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"/>')
  expect(html).not.toMatch(/\sstyle=|\son\w+=|javascript:/)
  for (const [script] of html.matchAll(/<script[^>]*>/g))
    expect(script).toMatch(/src=|type="application\/(ld\+)?json"/)
})

test('a visitor sees Home, the five sections and the way to sign in', () => {
  const html = render()
  expect(html.match(/class="nav-item" href="\//g)).toHaveLength(8)
  expect(html).toContain('data-auth="sign-in"')
  for (const hidden of ['Settings', 'Premium Content', 'Analytics Dashboard'])
    expect(html).not.toContain(`>${hidden}<`)
})

test('a member also sees Settings, an operator the two screens of the console', () => {
  const member = { firstName: 'Mara', lastName: null, email: 'mara@example.com' }
  expect(render({ member })).toContain('>Settings<')
  const operator = render({ isOperator: true })
  expect(operator).toContain('>Premium Content<')
  expect(operator).toContain('>Analytics Dashboard<')
})

test('where one is, is marked once in the sidebar', () => {
  expect(render().match(/class="nav-item" href="[^"]*" aria-current="page"/g)).toHaveLength(1)
})

test('a chosen theme is in the document, no choice leaves it to the system', () => {
  expect(render({ theme: 'paper' })).toContain('<html lang="en" data-theme="paper">')
  expect(render()).toContain('<html lang="en">')
})
