import * as t from 'typebox'

/**
 * Schema of a value from a fixed list: an OpenAPI enum with a readable error. If the list has the empty value that
 * forms send for "any", it is accepted, but not named in the error.
 */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: t.SchemaOptions = {},
): t.TUnsafe<T[number]> {
  const union = t.Union(
    values.map((value) => t.Literal(value)),
    { error: `Expected one of: ${values.filter(Boolean).join(', ')}`, ...options },
  )
  // TypeScript cannot infer the members of a union of a mapped array, so the type is given by its values.
  return union as t.TSchema as t.TUnsafe<T[number]>
}
