/** A count with its noun: "1 view", "1,200 views", "3 stories". `many` is for irregular plurals. */
export function pluralize(count: number, one: string, many = pluralOf(one)): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
