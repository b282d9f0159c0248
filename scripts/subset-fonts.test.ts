import { expect, test } from 'bun:test'
import { fontFaces } from '#scripts/font-faces'
import { pictureFontPath, subsetFace, subsetPath, subsetPictureFont } from '#scripts/subset-fonts'

test.each(fontFaces)(
  'the stored $subset is that of the installed font: `bun scripts/subset-fonts.ts` makes it',
  async (face) => {
    const stored = await Bun.file(subsetPath(face)).bytes()
    expect(stored.length).toBeGreaterThan(5_000)
    expect(Buffer.compare(stored, await subsetFace(face))).toBe(0)
  },
)

test('so is the font of pictures', async () => {
  expect(Buffer.compare(await Bun.file(pictureFontPath).bytes(), await subsetPictureFont())).toBe(0)
})

test('fonts that a first screen loads weigh less than 50 KB', () => {
  const sizes = fontFaces
    .filter(({ isPreloaded }) => isPreloaded)
    .map((face) => Bun.file(subsetPath(face)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(50_000)
})
