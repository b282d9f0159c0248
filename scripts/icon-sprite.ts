/** The rules that the preset generates for an icon's name, or for several names of one drawing. */
const iconRule = /((?:\.i-lucide-[\w-]+,?\s*)+)\{--un-icon:url\("data:image\/svg\+xml;utf8,([^"]+)"\);?\}/g
const drawing = /^<svg xmlns='[^']*' viewBox='0 0 24 24'([^>]*)>(.*)<\/svg>$/

/** An icon is 24 units high. The gap keeps the next one out of its box, also where a browser rounds. */
const pitch = 30

/** The rules of icons in one image, `svg`, which is for a file of its own. */
export type IconSprite = { svg: string; rules(file: string): string }

/**
 * All icons of a stylesheet in one image, one above the other, of which each icon shows its own part: a browser makes a
 * document of each image while it computes styles, and that costs a phone 4 ms for each. `sharedBy` is the selector of
 * what has the image; without it, it is the list of these icons.
 */
export function joinIcons(css: string, sharedBy?: string): IconSprite {
  const icons = readIcons(css).toSorted((a, b) => a.look.localeCompare(b.look))
  // A percentage of a position is of what the image is higher than its box: here each icon is whole steps of one down.
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
