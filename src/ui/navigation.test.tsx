import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { listSiteLinks, type Section } from './navigation'
import { TabBar } from './tab-bar'

const marked = (section: Section | null) =>
  listSiteLinks('https://example.com', section).flatMap(({ label, isCurrent }) => (isCurrent ? [label] : []))

test('the top bar marks Audio and Stories only on their own pages', () => {
  expect(marked('explore')).toEqual(['Audio'])
  expect(marked('stories')).toEqual(['Stories'])
  for (const section of ['home', 'my-content', 'analytics', 'premium-content', null] as const)
    expect(marked(section)).toEqual([])
})

test('the tab bar marks Create on both create pages', () => {
  for (const section of ['create', 'create-stories'] as const)
    expect(renderToStaticMarkup(<TabBar section={section} />)).toContain('href="/create" aria-current="page"')
})
