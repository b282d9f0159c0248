/** Names within a small edit distance of a word, or with the same beginning, for "Did you mean …?". Browser-safe. */
export function nearOnes(word: string, names: readonly string[]): string[] {
  const isNear = (name: string) =>
    (word.length > 1 && name.startsWith(word)) ||
    (name.length > 2 && word.startsWith(name)) ||
    distance(word.toLowerCase(), name) <= (name.length > 4 ? 2 : 1)
  return names.filter(isNear).slice(0, 3)
}

/** ` Did you mean "gay"?` if a word resembles an allowed one, otherwise empty. */
export function didYouMean(word: string, allowed: readonly string[]): string {
  const [near] = word.length > 2 ? nearOnes(word.toLowerCase(), allowed) : []
  return near ? ` Did you mean "${near}"?` : ''
}

/** Levenshtein distance: insertions, deletions and substitutions of letters. */
function distance(a: string, b: string): number {
  let above = [...b, ''].map((_, at) => at)
  for (const [row, letter] of [...a].entries()) {
    const line = [row + 1]
    for (const [at, other] of [...b].entries())
      line.push(
        Math.min(
          (above[at] ?? 0) + (letter === other ? 0 : 1),
          (above[at + 1] ?? 0) + 1,
          (line[at] ?? 0) + 1,
        ),
      )
    above = line
  }
  return above.at(-1) ?? 0
}
