/** Separator of two facts in running text. It does not break from the second one, so that no line ends in it. */
export const dot = ' ·\u00a0'

/**
 * Joins facts in one line: "4.8 · 188 ratings". Empty ones are left out, and a number does not break from the word that
 * it counts.
 */
export function joinFacts(...facts: readonly (string | false | null | undefined)[]): string {
  return facts.flatMap((fact) => (fact ? fact.replace(/^(\d+) /, '$1\u00a0') : [])).join(dot)
}
