import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Picture, pictureSizes } from '#src/picture/rules'
import { BrandMark } from '#src/ui/brand-mark'
import { drawArt } from '#src/ui/cover/art'
import { NightScene } from '#src/ui/night-scene'
import { type FittedText, fitText, type Measure } from './fit-text'

/** The colours of the dark theme (src/ui/look/tokens.css). */
const colours = { ground: '#12131b', text: '#ede8df', lamp: '#f2b98a' }
/** The side of a square, in SVG units. */
const square = 1_000
const coverUnits = 480

/** Draws a picture as SVG. `measure` uses the font of the titles. */
export function drawPicture(picture: Picture, measure: Measure): string {
  const { width, height } = picture.shape === 'card' ? pictureSizes.card : { width: square, height: square }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${contentOf(picture, measure)}</svg>`
}

function contentOf(picture: Picture, measure: Measure): string {
  const { art, shape } = picture
  if (art === 'plain') return plain
  if (art === 'night') return shape === 'card' ? nightCard(picture, measure) : nightSquare(picture, measure)
  return shape === 'card' ? coverCard(art, picture, measure) : coverSquare(art, picture, measure)
}

/** The shape of public/plain.svg on a background without rounded corners, since apps round them themselves. */
const plain = `<rect width="${square}" height="${square}" fill="#6b7280"/><path transform="translate(200 200) scale(25)" d="M8 5h8v14l-4-3-4 3z" fill="#fff"/>`

/** The cover on the right; on its left the title, or the site's name without one. */
function coverCard(seed: number, { title, siteName }: Picture, measure: Measure): string {
  const { width, height } = pictureSizes.card
  const fitted = fitText(title || siteName, { width: 440, linesMax: 5, sizeMax: 80, sizeMin: 44 }, measure)
  const brandSize = Math.min(36, 380 / Math.max(1, measure(siteName)))
  const brand = title ? write(siteName, [122, 94], brandSize) : ''
  const left = width - height
  const panel = `<rect width="${left}" height="${height}" fill="${colours.ground}"/>`
  return cover(seed, [left, 0], height) + panel + mark(58, 60, 44) + brand + atFoot(fitted, [64, 562])
}

/** A cover that fills the square, with the title at its bottom, on a darkened area. */
function coverSquare(seed: number, { title }: Picture, measure: Measure): string {
  const fitted = fitText(title, { width: 860, linesMax: 4, sizeMax: 128, sizeMin: 64 }, measure)
  const art = cover(seed, [0, 0], square)
  return fitted.lines.length > 0 ? art + dusk(fitted, 930) + atFoot(fitted, [70, 930]) : art
}

function nightCard({ title }: Picture, measure: Measure): string {
  const { width, height } = pictureSizes.card
  const fitted = fitText(title, { width: 640, linesMax: 2, sizeMax: 120, sizeMin: 48 }, measure)
  return `${night({ x: 900, wide: width, high: height })}${mark(55, 60, 64)}${atFoot(fitted, [64, 556])}`
}

function nightSquare({ title }: Picture, measure: Measure): string {
  const fitted = fitText(title, { width: 860, linesMax: 2, sizeMax: 170, sizeMin: 72 }, measure)
  return `${night({ x: 540, wide: 800, high: 800, lift: 0.7 })}${mark(57, 70, 96)}${atFoot(fitted, [70, 920])}`
}

/** A cover without its clip path: the parts beside it are drawn over its edge. */
function cover(seed: number, [x, y]: readonly [number, number], size: number): string {
  return `<g transform="translate(${x} ${y}) scale(${size / coverUnits})">${withoutLayers(drawArt(seed))}</g>`
}

/**
 * Replaces the opacity of elements by that of their fills or strokes. The renderer draws an element with opacity, like
 * one with a clip path, on layers as large as the picture; without them a square needs 140 MB instead of 280
 * (measured). Elements with both a fill and a stroke stay as they are.
 */
function withoutLayers(svg: string): string {
  return svg.replace(/<(?:path|rect|circle) [^>]*>/g, (tag) => {
    if (tag.includes('fill="none"')) return tag.replace(' opacity=', ' stroke-opacity=')
    return tag.includes(' stroke=') ? tag : tag.replace(' opacity=', ' fill-opacity=')
  })
}

function night(scene: { x: number; wide: number; high: number; lift?: number }): string {
  return renderToStaticMarkup(createElement(NightScene, scene))
}

/** Darkens the bottom of a cover behind its title, and a little above. */
function dusk({ lines, size }: FittedText, foot: number): string {
  const top = Math.max(0, foot - lines.length * size * lineHeight - 220)
  return `<defs><linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colours.ground}" stop-opacity="0"/><stop offset="0.55" stop-color="${colours.ground}" stop-opacity="0.78"/><stop offset="1" stop-color="${colours.ground}" stop-opacity="0.94"/></linearGradient></defs><rect y="${top}" width="${square}" height="${square - top}" fill="url(#dusk)"/>`
}

const lineHeight = 1.08

/** Lines that end at a baseline, under a short stroke in the colour of lamplight. */
function atFoot({ lines, size }: FittedText, [x, foot]: readonly [number, number]): string {
  if (lines.length === 0) return ''
  const first = foot - (lines.length - 1) * size * lineHeight
  const stroke = `<rect x="${x}" y="${first - size * 1.15}" width="${size * 0.8}" height="${size * 0.05}" rx="${size * 0.025}" fill="${colours.lamp}"/>`
  return stroke + lines.map((line, at) => write(line, [x, first + at * size * lineHeight], size)).join('')
}

function write(text: string, [x, y]: readonly [number, number], size: number): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${colours.text}">${Bun.escapeHTML(text)}</text>`
}

/** The brand mark with its own size: a nested SVG would otherwise be as large as the outer one. */
function mark(x: number, y: number, size: number): string {
  const drawn = renderToStaticMarkup(createElement(BrandMark)).replace(
    '<svg ',
    '<svg width="26" height="26" ',
  )
  return `<g transform="translate(${x} ${y}) scale(${size / 26})" color="${colours.lamp}">${drawn}</g>`
}
