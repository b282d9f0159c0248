import type { Source } from '#src/story/rules'
import { coverSeed, hashText } from '#src/text/cover-seed'

/** Pictures as PNG, for previews of links and for podcast apps: what they show and how large they are. Browser-safe. */
export type Picture = {
  /** A card stands beside a link, a square is a podcast's art. */
  shape: PictureShape
  /** A title's cover by its seed, the house at night, or a sign that says nothing. */
  art: number | 'night' | 'plain'
  /** What is written; empty for nothing. */
  title: string
  siteName: string
}
type PictureShape = 'card' | 'square'

/** A card as Open Graph's readers crop it least; a square as large as podcast directories take. */
export const pictureSizes = {
  card: { width: 1200, height: 630 },
  square: { width: 3000, height: 3000 },
} as const satisfies Record<PictureShape, { width: number; height: number }>

/** Changed with the drawings, so that nobody keeps those of before. */
const drawing = 1

/** Pictures that wait to be drawn: a card takes half a second, a square three. */
export const picturesWaitingMax = 16
/** A podcast app asks for all squares of a feed at once: the other places are for the cards of everybody. */
export const squaresWaitingMax = picturesWaitingMax / 2
/** After so long without its picture a request is told to come back, while the picture is still being drawn. */
export const pictureWaitSeconds = 20
/** A drawing process that takes longer hangs. */
export const pictureSecondsMax = 60
/** About 700 squares or 5,000 cards: the most recently seen. */
export const pictureBytesMax = 1024 * 1024 * 1024

/** The font of titles, made by scripts/subset-fonts.ts. */
export const pictureFont = 'src/picture/rasteriser/newsreader.ttf'

/** Whether the font has every character: Latin-1, typographic punctuation and what English borrows. */
export function isDrawable(text: string): boolean {
  return /^[ -~\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2122]*$/.test(
    text,
  )
}

/** An item as far as its picture shows it. */
type PicturedItem = { title: string; source: Source }

/** The picture beside a link to an item. */
export function itemCard(item: PicturedItem, siteName: string): Picture {
  return { shape: 'card', art: coverSeed(item.title), title: titleOf(item), siteName: drawable(siteName) }
}

/** Squares of members' own items: with a cover for each title, edits of one item would draw without end. */
export const ownCovers = 64

/** An item's art in a podcast app, full of its cover; a member's own item has one of `ownCovers`. */
export function itemSquare(item: PicturedItem): Picture {
  const seed = coverSeed(item.title)
  const art = item.source === 'pre_uploaded' ? seed : seed % ownCovers
  return { shape: 'square', art, title: titleOf(item), siteName: '' }
}

/** The picture beside a link to any other page. */
export function siteCard(siteName: string): Picture {
  return { shape: 'card', art: 'night', title: drawable(siteName), siteName: '' }
}

/** The art of a member's podcast. */
export function siteSquare(siteName: string): Picture {
  return { ...siteCard(siteName), shape: 'square' }
}

/** The art of a feed and of its items in discreet mode: it names nothing. */
export const plainSquare: Picture = { shape: 'square', art: 'plain', title: '', siteName: '' }

/** What a member wrote is erased with the account, so that none of it is drawn into a file: their titles neither. */
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

/** Names what a picture shows in its address, so that it may be cached for ever there. */
export function pictureVersion(picture: Picture): string {
  return hashText(pictureKey(picture)).toString(36)
}

type LinkPicture = { path: string; alt: string }

/** The picture that the head of an item's page names. */
export function itemLinkPicture(item: PicturedItem & { id: string }, siteName: string): LinkPicture {
  const version = pictureVersion(itemCard(item, siteName))
  return {
    path: picturePath(item.id, version),
    alt: `${item.title}: a quiet drawing in the colours of night`,
  }
}

/** The picture of every other page, at the name of the site in place of an item's id. */
export function siteLinkPicture(siteName: string): LinkPicture {
  const path = picturePath(siteId, pictureVersion(siteCard(siteName)))
  return { path, alt: `${siteName}: a house at night, one window lit` }
}
export const siteId = 'site'

/**
 * The path of a preview of an item, or of the site; the version changes with what it shows. Not in `urls`, all of which
 * the service worker loads.
 */
export function picturePath(of: string, version: string): string {
  return `/picture/${of}/${version}.png`
}
