/** The part of JSON Schema that our schemas use. */
export type JsonSchema = {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  patternProperties?: Record<string, JsonSchema>
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  default?: unknown
  minimum?: number
  format?: string
  description?: string
  $ref?: string
  [key: string]: unknown
}

/** Realistic values by field name. */
const byName: Record<string, unknown> = {
  id: '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57',
  slug: 'the-night-ferry',
  title: 'The Night Ferry',
  description: 'Two strangers, one blanket, and eight hours of dark water.',
  excerpt: 'The last boat left at ten.',
  content: 'The last boat left at ten, and by the time the harbour lights had thinned…',
  categories: ['romantic', 'man and woman'],
  tags: ['sea'],
  duration: 13,
  audioDurationSeconds: 764.2,
  wordCount: 812,
  readingMinutes: 4,
  email: 'mara@example.com',
  firstName: 'Mara',
  lastName: 'Lind',
  message: 'Done.',
  createdAt: '2026-11-20T20:15:00.000Z',
  publishedAt: '2026-11-20T20:15:00.000Z',
  lastUpdatedAt: '2026-11-20T20:15:00.000Z',
  lastPositionSec: 221,
  totalSec: 764,
  contentId: '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57',
  token: 'the secret of DATA_DIR/admin-token',
  row: 14,
}

/** An example that fits a schema: the schema's own if it has one, otherwise built from its shape and its names. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  if (schema.anyOf) return exampleOf(schema.anyOf.find((each) => each.type !== 'null') ?? {}, name)
  if (type === 'object' || schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, each]) => [key, exampleOf(each, key)]),
    )
  }
  if (type === 'array') {
    const known = byName[name]
    return Array.isArray(known) ? known : [exampleOf(schema.items ?? {}, name.replace(/s$/, ''))]
  }
  return scalarExample({ ...schema, type }, name)
}

function scalarExample(schema: JsonSchema & { type?: string }, name: string): unknown {
  const known = byName[name]
  const kind = schema.type === 'integer' ? 'number' : schema.type
  if (known !== undefined && typeof known === kind) return known
  if (kind === 'number') return schema.minimum ?? 1
  if (kind === 'boolean') return true
  if (kind === 'null') return null
  return 'text'
}
