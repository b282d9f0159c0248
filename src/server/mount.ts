import type { AnyElysia } from 'elysia'
import { Kind, type TSchema } from 'typebox'

/**
 * Mounts a noun's calls. Their answers are checked for fields and types, but not for the limits that their schemas
 * share with requests. A stored text may be longer than the one that was sent (NFC writes some letters as two) or come
 * from an import or an earlier version; a list with one such text would answer 500 permanently. The API document still
 * has the limits, since it is generated later from the mounted schemas.
 */
export function mount(router: AnyElysia, noun: AnyElysia): void {
  const from = router.routes.length
  const described: unknown[] = noun.routes.map(({ hooks }) => hooks.response)
  for (const { hooks } of noun.routes) hooks.response = withoutLimits(hooks.response)
  router.use(noun)
  for (const [at, { hooks }] of router.routes.slice(from).entries()) hooks.response = described[at]
}

/** Removes the limits from the schema of an answer, or from its schemas by status. */
function withoutLimits(response: TSchema | Record<number, TSchema> | undefined): unknown {
  if (!response) return response
  return Kind in response ? kindOf(response) : mapValues(response, kindOf)
}

const limits = [
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'multipleOf', 'minProperties', 'maxProperties'],
]

/**
 * A schema without its limits, at any depth. Throws for a tuple, whose lengths are more than a limit, and for
 * constructs that no answer uses: the program then does not start, which any test shows.
 */
function kindOf(schema: TSchema): TSchema {
  const odd = schema.allOf || Array.isArray(schema.items) || typeof schema.additionalProperties === 'object'
  if (odd) throw new Error('An answer has a tuple, an intersection or further properties: see mount.ts.')
  const kind = { ...schema }
  for (const limit of limits) delete kind[limit]
  const { properties, patternProperties, items, anyOf } = schema
  if (properties) kind.properties = mapValues(properties, kindOf)
  if (patternProperties) kind.patternProperties = mapValues(patternProperties, kindOf)
  if (items) kind.items = kindOf(items)
  if (anyOf) kind.anyOf = anyOf.map(kindOf)
  return kind
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
