/** Splits a text into ten parts with equal numbers of words: what is heard or read in each tenth of an item. Pure. */
export function tenthsOf(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean)
  const place = (tenth: number) => Math.round((words.length * tenth) / 10)
  return Array.from({ length: 10 }, (_, at) => words.slice(place(at), place(at + 1)).join(' '))
}

/** The tenth in which most views ended, counted from 0. Null if none ended before the end. */
export function steepestTenth(curve: readonly { count: number }[]): number | null {
  const lost = curve.slice(0, -1).map(({ count }, at) => count - (curve[at + 1]?.count ?? 0))
  const most = Math.max(...lost, 0)
  return most === 0 ? null : lost.indexOf(most)
}
