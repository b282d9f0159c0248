import { expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import { listShownCategories, Tags } from '#src/ui/tags'

test('three categories are shown as they are written', () => {
  expect(listShownCategories(['bdsm', 'man and woman', 'romantic'])).toEqual([
    'BDSM',
    'Man and woman',
    'Romantic',
  ])
})

test('more than three end in "+N more"', () => {
  expect(listShownCategories(['gay', 'romantic', 'roleplay', 'bdsm', 'lesbian']).at(-1)).toBe('+2 more')
  expect(listShownCategories(['gay', 'romantic', 'roleplay', 'bdsm'])).toHaveLength(4)
})

test('an item without categories has no empty line', () => {
  expect(renderToString(<Tags categories={[]} />)).toBe('')
})
