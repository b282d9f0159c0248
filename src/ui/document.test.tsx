import { expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import { testManifest } from '#src/testing/manifest'
import { Document, PageHead } from '#src/ui/document'
import { Shell } from '#src/ui/shell'
import type { FrameViewer, ThemeName } from '#src/ui/viewer'

const visitor: FrameViewer = {
  siteName: 'Nocturne',
  marketingUrl: 'https://example.com',
  isMember: false,
  isOperator: false,
}

function render(viewer: Partial<FrameViewer> = {}, theme: ThemeName | null = null): string {
  const meta = { title: 'Explore Audios', structuredData: { name: '</script>' } }
  return renderToString(
    <Document
      siteName="Nocturne"
      theme={theme}
      manifest={testManifest}
      frame="shell"
      head={<PageHead siteName="Nocturne" meta={meta} />}
    >
      <Shell viewer={{ ...visitor, ...viewer }} section="explore">
        <h1>Explore Audios</h1>
      </Shell>
    </Document>,
  )
}

test('a page has the RTA label and no inline styles, scripts or event handlers', () => {
  const html = render()
  expect(html).toContain('<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"/>')
  expect(html).not.toMatch(/\sstyle=|\son\w+=|javascript:/)
  for (const [script] of html.matchAll(/<script[^>]*>/g))
    expect(script).toMatch(/src=|type="application\/(ld\+)?json"/)
})

const sections = ['Home', 'Explore Audios', 'Create Audios', 'Read Stories', 'Create Stories', 'My Content']
const sidebarEntries = (html: string) =>
  [...html.matchAll(/class="nav-item"[^>]*><span[^>]*><\/span><span>([^<]+)/g)].map(([, label]) => label)

test('a visitor’s sidebar has Home and the five sections, and the bar has sign-in', () => {
  const html = render()
  expect(sidebarEntries(html)).toEqual(sections)
  expect(html).toContain('data-auth="sign-in"')
})

test('a member’s sidebar also has Settings, an operator’s the two console entries', () => {
  expect(sidebarEntries(render({ isMember: true }))).toEqual([...sections, 'Settings'])
  expect(sidebarEntries(render({ isOperator: true }))).toEqual([
    ...sections,
    'Premium Content',
    'Analytics Dashboard',
  ])
})

test('the current page is marked once in the sidebar', () => {
  expect(render().match(/class="nav-item" href="[^"]*" aria-current="page"/g)).toHaveLength(1)
})

test('a chosen theme is set on the document, and none without a choice', () => {
  expect(render({}, 'paper')).toContain('<html lang="en" data-theme="paper">')
  expect(render()).toContain('<html lang="en">')
})
