import type { Source } from '#src/story/rules'
import { coverSeed, hashText } from '#src/text/cover-seed'

/** A picture as PNG, for previews of links and for podcast apps: its content and shape. Browser-safe. */
export type Picture = {
  /** A card is a preview of a link, a square is the art of a podcast. */
  shape: PictureShape
  /** The cover of a title by its seed, the house at night, or a shape that reveals nothing. */
  art: number | 'night' | 'plain'
  /** The text in the picture; empty for none. */
  title: string
  siteName: string
}
type PictureShape = 'card' | 'square'

/** The size of a card that readers of Open Graph crop least, and the largest square that podcast directories accept. */
export const pictureSizes = {
  card: { width: 1200, height: 630 },
  square: { width: 3000, height: 3000 },
} as const satisfies Record<PictureShape, { width: number; height: number }>

/** Version of the drawings. Change it with them, so that no cache keeps earlier pictures. */
const drawing = 1

/** Maximum pictures waiting to be drawn: a card takes half a second, a square three. */
export const picturesWaitingMax = 16
/**
 * Maximum waiting squares. A podcast app requests all squares of a feed at once; the other places are for everyone's
 * cards.
 */
export const squaresWaitingMax = picturesWaitingMax / 2
/**
 * How long a request waits for its picture. Then the client is asked to come back, while the picture is still being
 * drawn.
 */
export const pictureWaitSeconds = 20
/** A drawing process that takes longer is considered hung. */
export const pictureSecondsMax = 60
/** Maximum size of all pictures: about 700 squares or 5,000 cards. */
export const pictureBytesMax = 1024 * 1024 * 1024

/** The font of titles, which scripts/subset-fonts.ts creates. */
export const pictureFont = 'src/picture/rasteriser/newsreader.ttf'

/**
 * Whether the font has every character of a text: Latin-1, typographic punctuation and letters of loanwords in English.
 */
export function isDrawable(text: string): boolean {
  return /^[ -~\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2122]*$/.test(
    text,
  )
}

/** The fields of an item that its picture shows. */
type PicturedItem = { title: string; source: Source }

/** The preview of a link to an item. */
export function itemCard(item: PicturedItem, siteName: string): Picture {
  return { shape: 'card', art: coverSeed(item.title), title: titleOf(item), siteName: drawable(siteName) }
}

/** How many different squares members' own items have. With a cover for each title, every edit would draw a new one. */
export const ownCovers = 64

/** An item's art in a podcast app, filled by its cover; a member's own item has one of `ownCovers`. */
export function itemSquare(item: PicturedItem): Picture {
  const seed = coverSeed(item.title)
  const art = item.source === 'pre_uploaded' ? seed : seed % ownCovers
  return { shape: 'square', art, title: titleOf(item), siteName: '' }
}

/** The preview of a link to any other page. */
export function siteCard(siteName: string): Picture {
  return { shape: 'card', art: 'night', title: drawable(siteName), siteName: '' }
}

/** The art of a member's podcast. */
export function siteSquare(siteName: string): Picture {
  return { ...siteCard(siteName), shape: 'square' }
}

/** The art of a feed and of its items in discreet mode, which names nothing. */
export const plainSquare: Picture = { shape: 'square', art: 'plain', title: '', siteName: '' }

/**
 * The title in a picture. Members' texts are erased with the account, so none of them, not even a title, is drawn into
 * a file.
 */
function titleOf({ title, source }: PicturedItem): string {
  return source === 'pre_uploaded' ? drawable(title) : ''
}

function drawable(text: string): string {
  return isDrawable(text) ? text : ''
}

/** Everything that decides what a picture looks like, as one text. */
export function pictureKey(picture: Picture): string {
  return JSON.stringify([drawing, picture])
}

/**
 * The version of a picture in its address, which changes with its content, so that the response may be cached for ever.
 */
export function pictureVersion(picture: Picture): string {
  return hashText(pictureKey(picture)).toString(36)
}

type LinkPicture = { path: string; alt: string }

/** The picture in the metadata of an item's page. */
export function itemLinkPicture(item: PicturedItem & { id: string }, siteName: string): LinkPicture {
  const version = pictureVersion(itemCard(item, siteName))
  return {
    path: picturePath(item.id, version),
    alt: `${item.title}: a quiet drawing in the colours of night`,
  }
}

/** The picture in the metadata of every other page; its path has the site's name instead of an item's id. */
export function siteLinkPicture(siteName: string): LinkPicture {
  const path = picturePath(siteId, pictureVersion(siteCard(siteName)))
  return { path, alt: `${siteName}: a house at night, one window lit` }
}
export const siteId = 'site'

/**
 * The path of the preview of an item or of the site; the version changes with its content. It is not in `urls`, since
 * the service worker loads all of these.
 */
export function picturePath(of: string, version: string): string {
  return `/picture/${of}/${version}.png`
}
