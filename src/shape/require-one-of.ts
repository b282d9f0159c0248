import { invalidField } from './invalid-field'

/** A value of a closed list, or undefined where none was given. Throws `invalid` for another one. */
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
