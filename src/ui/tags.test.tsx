import { expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import { listShownCategories, Tags } from '#src/ui/tags'

test('up to three categories are shown, with their display names', () => {
  expect(listShownCategories(['bdsm', 'man and woman', 'romantic'])).toEqual([
    'BDSM',
    'Man and woman',
    'Romantic',
  ])
})

test('more than three categories end in "+N more"', () => {
  expect(listShownCategories(['gay', 'romantic', 'roleplay', 'bdsm', 'lesbian']).at(-1)).toBe('+2 more')
  expect(listShownCategories(['gay', 'romantic', 'roleplay', 'bdsm'])).toHaveLength(4)
})

test('an item without categories renders nothing', () => {
  expect(renderToString(<Tags categories={[]} />)).toBe('')
})
