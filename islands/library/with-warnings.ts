/** More of them are on the items themselves. */
const shownMax = 3

/** What a toast says of what was taken, and of it by the guidelines: that it is held, and why. */
export function withWarnings(words: string, warnings: readonly string[] = []): string {
  const more = warnings.length > shownMax ? [`And ${warnings.length - shownMax} more`] : []
  return [words, ...warnings.slice(0, shownMax), ...more].join('. ')
}
