import { expect, test } from 'bun:test'
import { coverSvg, drawCover, motifNames } from '#src/ui/cover/art'
import { paletteNames } from '#src/ui/cover/palettes'

test('the same title gives the same cover, whatever its case, spaces and composition', () => {
  expect(drawCover(' the  gift')).toBe(drawCover('The Gift'))
  expect(drawCover('Cafe\u0301')).toBe(drawCover('Café'))
})

test('covers are those of the reference', () => {
  const hashOf = (title: string) =>
    new Bun.CryptoHasher('sha256').update(drawCover(title)).digest('hex').slice(0, 16)
  expect(hashOf('The Night Ferry')).toBe('11d3d3e55d55328b')
  expect(hashOf('Rain on the Conservatory Roof')).toBe('fbedc73eaab5510e')
  expect(hashOf('Letters to the Lighthouse Keeper')).toBe('769e25b87fc41fdf')
  expect(hashOf('Warm Hands')).toBe('423ce9fe2c6383cc')
})

test('every motif draws in every palette, without a number that is none', () => {
  for (const motif of motifNames) {
    for (const palette of paletteNames)
      expect(drawCover('Salt Air', { motif, palette })).not.toMatch(/NaN|undefined/)
  }
})

test('near titles get different covers', () => {
  const drawn = Array.from({ length: 200 }, (_, index) => drawCover(`Night ${index}`))
  expect(new Set(drawn).size).toBe(200)
})

test('an id keeps the gradients of two covers of one title apart', () => {
  const idsOf = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  const [first, second] = [
    idsOf(drawCover('Salt Air', { id: 'a' })),
    idsOf(drawCover('Salt Air', { id: 'b' })),
  ]
  expect(first.filter((id) => second.includes(id))).toEqual([])
})

test('a cover holds nothing of its title and no style attribute', () => {
  const svg = coverSvg('"><script>alert(1)</script>')
  expect(svg).not.toContain('script')
  expect(svg).not.toMatch(/\sstyle=/)
})
