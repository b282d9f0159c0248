import { join } from 'node:path'
import subsetFont from 'subset-font'
import { commonRange, type FontFace, fontFaces, subsetPath } from '#scripts/font-faces'
import { isDrawable, pictureFont } from '#src/picture/rules'

const root = join(import.meta.dir, '..')

/** Features that browsers apply unasked, and the figures of one width that the look asks for. */
const features = ['kern', 'liga', 'clig', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'rlig', 'rvrn', 'tnum']

/** The file of a face with the common characters alone, and what the look uses of its axes. */
export async function subsetFace({ path, axes = {} }: FontFace): Promise<Uint8Array> {
  const whole = Buffer.from(await Bun.file(join(root, 'node_modules', path)).bytes())
  const options = { targetFormat: 'woff2', keepFeatures: features, variationAxes: axes } as const
  return new Uint8Array(await subsetFont(whole, charactersOf(commonRange), options))
}

export const pictureFontPath = join(root, pictureFont)

/** The font of titles in pictures: large titles' cut, with every character that a picture may hold. */
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
