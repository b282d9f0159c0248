import { expect, test } from 'bun:test'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { fontFaces, subsetPath } from '#scripts/font-faces'
import { pictureFontPath, subsetFace, subsetPictureFont } from '#scripts/subset-fonts'
import { isDrawable } from '#src/picture/rules'

test.each(fontFaces)(
  'the stored $subset matches the installed font (to update it: `bun scripts/subset-fonts.ts`)',
  async (face) => {
    const stored = await Bun.file(subsetPath(face)).bytes()
    expect(stored.length).toBeGreaterThan(5_000)
    expect(Buffer.compare(stored, await subsetFace(face))).toBe(0)
  },
)

test('the stored font of generated images matches the installed font', async () => {
  expect(Buffer.compare(await Bun.file(pictureFontPath).bytes(), await subsetPictureFont())).toBe(0)
})

test('the font of generated images has a glyph for every character that isDrawable accepts', async () => {
  await initWasm(
    await Bun.file(Bun.resolveSync('@resvg/resvg-wasm/index_bg.wasm', import.meta.dir)).arrayBuffer(),
  )
  const font = { fontBuffers: [await Bun.file(pictureFontPath).bytes()], defaultFontFamily: 'Newsreader' }
  const isDrawn = (character: string) => {
    const text = `<text y="50" font-size="50">${Bun.escapeHTML(character)}</text>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${text}</svg>`
    return new Resvg(svg, { font }).getBBox() !== undefined
  }
  const characters = Array.from({ length: 0x2200 }, (_, at) => String.fromCodePoint(at)).filter(isDrawable)
  expect(characters.length).toBeGreaterThan(200)
  // Except spaces, and the soft hyphen, which is visible only at the end of a line.
  expect(characters.filter((each) => !/[\s\u00ad]/.test(each) && !isDrawn(each))).toEqual([])
  expect(isDrawn('灯')).toBe(false)
})

test('the fonts preloaded by a first screen are smaller than 50 KB', () => {
  const sizes = fontFaces
    .filter(({ isPreloaded }) => isPreloaded)
    .map((face) => Bun.file(subsetPath(face)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(50_000)
})
