import { expect, test } from 'bun:test'
import { type FrameOptions, renderInFrame } from '#src/request/frame'
import { testManifest } from '#src/testing/manifest'

const options: FrameOptions = {
  frame: 'shell',
  section: 'explore',
  viewer: { siteName: 'Nocturne', marketingUrl: 'https://example.com', isMember: true, isOperator: false },
  theme: null,
  isDiscreet: false,
  hasPin: false,
  previewSeconds: null,
  isApp: true,
  asksConsent: false,
  providers: [],
}
const draw = (owner: string | null | undefined, words: string, more: Partial<FrameOptions> = {}) =>
  new TextDecoder().decode(
    renderInFrame(
      testManifest,
      { ...options, ...more },
      { meta: { title: words }, owner, body: words, after: null },
    ),
  )

test('a cached frame contains nothing of the page it was first rendered for', () => {
  const ana = draw('ana', 'The Harbour')
  const ben = draw('ben', 'Salt Air')
  expect(ana).toContain('data-owner="ana"')
  expect(ben).not.toMatch(/ana"|The Harbour|slot:/)
  expect(ben).toBe(ana.replaceAll('The Harbour', 'Salt Air').replace('"ana"', '"ben"'))
  expect(draw(undefined, 'x')).not.toContain('data-owner')
  expect(draw(null, 'x')).toContain('data-owner=""')
})

test('content inserted into a frame is escaped and never read as a placeholder', () => {
  const html = draw('"><script>1</script>', '$& slot:after <b>', { frame: 'bare' })
  expect(html).toContain('<title>$&amp; slot:after &lt;b&gt; – Nocturne</title>')
  expect(html).toContain('$&amp; slot:after &lt;b&gt;')
  expect(html).not.toContain('<script>1')
  expect(html.match(/<div id="player-host">/g)).toHaveLength(1)
})

test('visitors, members, the console and themes get different frames', () => {
  const visitor = draw(null, 'x', { viewer: { ...options.viewer, isMember: false } })
  expect(visitor).toContain('data-auth="sign-in"')
  expect(draw('ana', 'x')).not.toContain('data-auth="sign-in"')
  expect(draw('ana', 'x', { frame: 'console' })).toContain('class="console"')
  expect(draw('ana', 'x', { theme: 'paper' })).toContain('data-theme="paper"')
})
