/** Maximum number of warnings in a toast. All of them are shown at the items. */
const shownMax = 3

/** Appends the guidelines' warnings to a toast's text, such as that an item is held and why. */
export function withWarnings(words: string, warnings: readonly string[] = []): string {
  const more = warnings.length > shownMax ? [`And ${warnings.length - shownMax} more`] : []
  return [words, ...warnings.slice(0, shownMax), ...more].join('. ')
}
