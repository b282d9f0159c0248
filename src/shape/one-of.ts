import * as t from 'typebox'

/**
 * One of a closed list: an OpenAPI enum with a readable error. The empty value that a form sends for "any" is accepted
 * where the list has it, and no choice that the error names.
 */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: t.SchemaOptions = {},
): t.TUnsafe<T[number]> {
  const union = t.Union(
    values.map((value) => t.Literal(value)),
    { error: `Expected one of: ${values.filter(Boolean).join(', ')}`, ...options },
  )
  // A union of a list that is only typed as an array loses its members' types; this type is its values.
  return union as t.TSchema as t.TUnsafe<T[number]>
}
