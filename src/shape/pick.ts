/** Parts of objects by the names of their properties, typed. Browser-safe. */

/** The named properties of an object; of a drizzle table, its columns. */
export function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}

/** The typed names of an object's properties. The object must not have other properties than its type. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[]
}

/** The properties of an object whose values, as JSON, differ from those of an earlier one. */
export function differing<T extends object>(now: T, before: { [N in keyof T]?: unknown }): Partial<T> {
  const differs = (name: keyof T) => JSON.stringify(now[name]) !== JSON.stringify(before[name])
  return Object.fromEntries(
    keysOf(now)
      .filter(differs)
      .map((name) => [name, now[name]]),
  ) as Partial<T>
}

/** An object with a value for each name. */
export function recordOf<K extends string, V>(names: readonly K[], make: (name: K) => V): { [N in K]: V } {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as { [N in K]: V }
}

/** One property of each entry in a table: `{ title: { label: 'Title' } }` → `{ title: 'Title' }`. */
export function columnOf<T extends { [name: string]: Record<P, unknown> }, P extends string>(
  table: T,
  property: P,
): { [N in keyof T]: T[N][P] } {
  return Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, entry[property]])) as {
    [N in keyof T]: T[N][P]
  }
}
