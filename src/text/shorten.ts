/** The beginning of a text, at most `max` UTF-16 units long and without half an emoji at its end. Browser-safe. */
export function shorten(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}
