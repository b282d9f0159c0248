import type { Colours } from '#src/ui/cover/palettes'

/** Returns the next number of a series: at least 0, below 1. */
export type Next = () => number
type Art = { shapes: string; defs?: string }
/**
 * Draws one motif on a square of 480. Its main part has to be within x 72–408 and y 96–384, since covers are cropped.
 */
export type Motif = (colours: Colours, next: Next, id: string) => Art

export type Stop = readonly [at: number, colour: string]

const downwards = 'x1="0" y1="0" x2="0" y2="1"'

export function gradient(id: string, stops: readonly Stop[], direction: string = downwards): string {
  const drawn = stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`)
  return `<linearGradient id="${id}" ${direction}>${drawn.join('')}</linearGradient>`
}

export function circle([x, y]: readonly [number, number], r: number, fill: string, opacity: number): string {
  return `<circle cx="${f(x)}" cy="${f(y)}" r="${f(r)}" fill="${fill}" opacity="${opacity}"/>`
}

export function between(next: Next, low: number, high: number): number {
  return low + next() * (high - low)
}

export function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('')
}

/** Rounds a coordinate to a tenth of a unit, which is finer than any screen shows. */
export function f(number: number): string {
  return String(Math.round(number * 10) / 10)
}
