import type { AnyElysia } from 'elysia'
import { Kind, type TSchema } from 'typebox'

/**
 * Mounts a noun's calls. Their answers are checked for fields and kinds, without the limits that their schemas share
 * with requests: what is stored may be longer than what was sent (NFC writes some letters as two) or come from an
 * import or an earlier version, and a list that holds one such text answered 500 for good. The API document has the
 * limits: it is made of the mounted schemas later.
 */
export function mount(router: AnyElysia, noun: AnyElysia): void {
  const from = router.routes.length
  const described: unknown[] = noun.routes.map(({ hooks }) => hooks.response)
  for (const { hooks } of noun.routes) hooks.response = withoutLimits(hooks.response)
  router.use(noun)
  for (const [at, { hooks }] of router.routes.slice(from).entries()) hooks.response = described[at]
}

/** The schema of an answer, or its schemas by status. */
function withoutLimits(response: TSchema | Record<number, TSchema> | undefined): unknown {
  if (!response) return response
  return Kind in response ? kindOf(response) : mapValues(response, kindOf)
}

const limits = [
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'multipleOf', 'minProperties', 'maxProperties'],
]

/**
 * A schema without its limits, at any depth. Throws for a tuple, whose lengths are more than a limit, and for what no
 * answer of ours has: the program does not start then, in any test.
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
