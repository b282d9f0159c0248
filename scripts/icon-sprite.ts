/** Matches a rule that the preset generates for an icon's name, or for several names with one drawing. */
const iconRule = /((?:\.i-lucide-[\w-]+,?\s*)+)\{--un-icon:url\("data:image\/svg\+xml;utf8,([^"]+)"\);?\}/g
const drawing = /^<svg xmlns='[^']*' viewBox='0 0 24 24'([^>]*)>(.*)<\/svg>$/

/**
 * The distance between two icons in the image. An icon is 24 units high; the gap keeps the next one out of its box,
 * even if a browser rounds.
 */
const pitch = 30

/** Icons in one image: `svg` is the content of its file, `rules` returns the CSS that refers to that file. */
export type IconSprite = { svg: string; rules(file: string): string }

/**
 * Joins all icons of a stylesheet in one image, one above the other; each icon shows its own part. A browser creates a
 * document for each image while it computes styles, which takes a phone 4 ms each. `sharedBy` is the selector of the
 * elements that have the image; by default it is the list of these icons.
 */
export function joinIcons(css: string, sharedBy?: string): IconSprite {
  const icons = readIcons(css).toSorted((a, b) => a.look.localeCompare(b.look))
  // A percentage in mask-position refers to the difference between the heights of image and box. The image's height
  // makes each icon a whole number of equal steps down.
  const steps = 100 * Math.ceil(icons.length / 101)
  const height = steps * pitch + 24
  const placed = icons.map((icon, at) => ({ ...icon, at }))
  const parts = [...Map.groupBy(placed, ({ look }) => look)].map(
    ([look, drawn]) =>
      `<g${look}>${drawn.map(({ at, body }) => `<g transform='translate(0 ${pitch * at})'>${body}</g>`).join('')}</g>`,
  )
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 ${height}'>${parts.join('')}</svg>`
  const owner = sharedBy ?? icons.map(({ names }) => names).join(',')
  const places = placed.map(({ names, at }) => `${names}{mask-position:0 ${(at / steps) * 100}%}`)
  const rules = (file: string) => {
    const shared = `${owner}{mask-image:url("${file}");mask-size:100% ${(height / 24) * 100}%}`
    return [css.replace(iconRule, ''), shared, ...places].join('\n')
  }
  return { svg, rules }
}

function readIcons(css: string): { names: string; look: string; body: string }[] {
  return [...css.matchAll(iconRule)].map(([, names = '', data = '']) => {
    const [, look = '', body = ''] = drawing.exec(decodeURIComponent(data)) ?? []
    if (!body) throw new Error(`The preset draws icons in another way now: ${data.slice(0, 200)}`)
    return { names, look, body }
  })
}
