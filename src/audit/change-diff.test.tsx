import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { ChangeDiff } from './change-diff'

test('a change shows the labels of its fields and formats its times for the reader', () => {
  const before = { publishedAt: '2026-11-26T09:34:25.586Z', isFree: false }
  const after = { publishedAt: '2026-11-28T20:00:00.000Z', isFree: true }
  const page = renderToStaticMarkup(<ChangeDiff before={before} after={after} />)
  expect(page).toContain('<span>Appears</span>')
  expect(page).toContain('<span>Free sample</span>')
  expect(page).toMatch(/<ins><time [^>]*data-local=""[^>]*>28 Nov 2026, 20:00 UTC<\/time><\/ins>/)
  expect(page.replace(/dateTime="[^"]*"/g, '')).not.toContain('09:34:25')
})
