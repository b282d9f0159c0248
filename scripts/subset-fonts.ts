import { join } from 'node:path'
import subsetFont from 'subset-font'
import { commonRange, type FontFace, fontFaces, subsetPath } from '#scripts/font-faces'
import { isDrawable, pictureFont } from '#src/picture/rules'

const root = join(import.meta.dir, '..')

/** OpenType features that browsers apply by default, and the tabular figures that the look uses. */
const features = ['kern', 'liga', 'clig', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'rlig', 'rvrn', 'tnum']

/** Returns the file of a face with only the common characters, and the part of its axes that the look uses. */
export async function subsetFace({ path, axes = {} }: FontFace): Promise<Uint8Array> {
  const whole = Buffer.from(await Bun.file(join(root, 'node_modules', path)).bytes())
  const options = { targetFormat: 'woff2', keepFeatures: features, variationAxes: axes } as const
  return new Uint8Array(await subsetFont(whole, charactersOf(commonRange), options))
}

export const pictureFontPath = join(root, pictureFont)

/**
 * Returns the font for titles in pictures: the cut of large titles, with every character that a picture may contain.
 */
export async function subsetPictureFont(): Promise<Uint8Array> {
  const whole = Buffer.from(
    await Bun.file(
      join(root, 'node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2'),
    ).bytes(),
  )
  const characters = Array.from({ length: 0x2200 }, (_, at) => String.fromCodePoint(at)).filter(isDrawable)
  const options = {
    targetFormat: 'sfnt',
    keepFeatures: features,
    variationAxes: { opsz: 40, wght: 370 },
  } as const
  return new Uint8Array(await subsetFont(whole, characters.join(''), options))
}

function charactersOf(range: string): string {
  return range
    .split(',')
    .flatMap((part) => {
      const [first = 0, last = first] = part
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
    })
    .join('')
}

if (import.meta.main) {
  for (const face of fontFaces) await Bun.write(subsetPath(face), await subsetFace(face))
  await Bun.write(pictureFontPath, await subsetPictureFont())
}
