/** First letter, last letter and length of a word. */
export function outlineOf(first: string, last: string, length: number): string {
  return `${first.charAt(0)}${last.charAt(last.length - 1)}${length}`
}
