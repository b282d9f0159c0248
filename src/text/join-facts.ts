/** Stands between two facts in running text. It stays with the second one, so that no line ends in it. */
export const dot = ' ·\u00a0'

/** Facts in one line: "4.8 · 188 ratings". Empty ones are left out; a number stays with the word that it counts. */
export function joinFacts(...facts: readonly (string | false | null | undefined)[]): string {
  return facts.flatMap((fact) => (fact ? fact.replace(/^(\d+) /, '$1\u00a0') : [])).join(dot)
}
