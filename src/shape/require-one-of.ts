import { invalidField } from './invalid-field'

/** Returns a value of a fixed list, or undefined if none was given. Throws `invalid` for any other value. */
export function requireOneOf<const T extends string>(
  path: string,
  value: string | undefined,
  values: readonly T[],
): T | undefined {
  if (value === undefined) return undefined
  const known = values.find((each) => each === value)
  if (!known) throw invalidField(path, `Expected one of: ${values.join(', ')}`)
  return known
}
