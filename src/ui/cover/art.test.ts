import { expect, test } from 'bun:test'
import { coverPath, coverSeed, readCoverSeed } from '#src/text/cover-seed'
import { drawCover, motifNames } from '#src/ui/cover/art'
import { paletteNames } from '#src/ui/cover/palettes'

test('titles that differ only in case, spaces or Unicode composition have the same cover', () => {
  expect(coverSeed(' the  gift')).toBe(coverSeed('The Gift'))
  expect(coverSeed('Cafe\u0301')).toBe(coverSeed('Café'))
})

test('four known titles are drawn exactly as in the reference', () => {
  const artOf = (title: string) => drawCover(coverSeed(title)).replace(/^<svg[^>]*>|<\/svg>$/g, '')
  const hashOf = (title: string) =>
    new Bun.CryptoHasher('sha256').update(artOf(title)).digest('hex').slice(0, 16)
  expect(hashOf('The Night Ferry')).toBe('7c9e71600a465bcd')
  expect(hashOf('Rain on the Conservatory Roof')).toBe('0deb99c8d42cea14')
  expect(hashOf('Letters to the Lighthouse Keeper')).toBe('f4b3e26a9622619a')
  expect(hashOf('Warm Hands')).toBe('27e29ebd6f796f35')
})

test('every motif is drawn in every palette without NaN or undefined', () => {
  for (const motif of motifNames) {
    for (const palette of paletteNames)
      expect(drawCover(coverSeed('Salt Air'), { motif, palette })).not.toMatch(/NaN|undefined/)
  }
})

test('similar titles have different covers', () => {
  const drawn = Array.from({ length: 200 }, (_, index) => drawCover(coverSeed(`Night ${index}`)))
  expect(new Set(drawn).size).toBe(200)
})

test('a cover and its URL contain neither the title nor a style attribute', () => {
  const title = '"><script>alert(1)</script>'
  const svg = drawCover(coverSeed(title))
  expect(svg + coverPath(title)).not.toContain('script')
  expect(svg).not.toMatch(/\sstyle=/)
})

test('a cover’s URL round-trips to its seed, and invalid seeds are rejected', () => {
  for (const title of ['', 'Salt Air', 'The Gift'])
    expect(readCoverSeed(coverPath(title).replace(/^\/cover\/|\?.*$/g, ''))).toBe(coverSeed(title))
  for (const text of ['', 'A', '-1', '1.5', '01', '1z141z4', '../x', 'x'.repeat(9)])
    expect(readCoverSeed(text)).toBeNull()
})
