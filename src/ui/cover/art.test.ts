import { expect, test } from 'bun:test'
import { coverPath, coverSeed, readCoverSeed } from '#src/text/cover-seed'
import { drawCover, motifNames } from '#src/ui/cover/art'
import { paletteNames } from '#src/ui/cover/palettes'

test('the same title gives the same cover, whatever its case, spaces and composition', () => {
  expect(coverSeed(' the  gift')).toBe(coverSeed('The Gift'))
  expect(coverSeed('Cafe\u0301')).toBe(coverSeed('Café'))
})

test('covers are those of the reference', () => {
  const artOf = (title: string) => drawCover(coverSeed(title)).replace(/^<svg[^>]*>|<\/svg>$/g, '')
  const hashOf = (title: string) =>
    new Bun.CryptoHasher('sha256').update(artOf(title)).digest('hex').slice(0, 16)
  expect(hashOf('The Night Ferry')).toBe('7c9e71600a465bcd')
  expect(hashOf('Rain on the Conservatory Roof')).toBe('0deb99c8d42cea14')
  expect(hashOf('Letters to the Lighthouse Keeper')).toBe('f4b3e26a9622619a')
  expect(hashOf('Warm Hands')).toBe('27e29ebd6f796f35')
})

test('every motif draws in every palette, without a number that is none', () => {
  for (const motif of motifNames) {
    for (const palette of paletteNames)
      expect(drawCover(coverSeed('Salt Air'), { motif, palette })).not.toMatch(/NaN|undefined/)
  }
})

test('near titles get different covers', () => {
  const drawn = Array.from({ length: 200 }, (_, index) => drawCover(coverSeed(`Night ${index}`)))
  expect(new Set(drawn).size).toBe(200)
})

test('a cover and its address hold nothing of its title, and no style attribute', () => {
  const title = '"><script>alert(1)</script>'
  const svg = drawCover(coverSeed(title))
  expect(svg + coverPath(title)).not.toContain('script')
  expect(svg).not.toMatch(/\sstyle=/)
})

test('an address names its seed, and nothing else does', () => {
  for (const title of ['', 'Salt Air', 'The Gift'])
    expect(readCoverSeed(coverPath(title).replace(/^\/cover\/|\?.*$/g, ''))).toBe(coverSeed(title))
  for (const text of ['', 'A', '-1', '1.5', '01', '1z141z4', '../x', 'x'.repeat(9)])
    expect(readCoverSeed(text)).toBeNull()
})
