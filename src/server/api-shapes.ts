import { type AnyElysia, Elysia } from 'elysia'
import * as t from 'typebox'
import * as analytics from '#src/analytics/schema'
import * as audit from '#src/audit/schema'
import * as challenge from '#src/challenge/schema'
import * as demo from '#src/demo/schema'
import * as example from '#src/example/schema'
import * as flag from '#src/feature-flag/schema'
import * as feed from '#src/feed/schema'
import * as guideline from '#src/guideline/schema'
import * as draft from '#src/import/draft/schema'
import * as plan from '#src/import/plan-schema'
import * as undo from '#src/import/undo-schema'
import * as job from '#src/job/schema'
import * as library from '#src/library/change-many-schema'
import * as listening from '#src/listening/schema'
import * as care from '#src/member/console/operator-schema'
import * as recovery from '#src/member/recovery/recovery-schema'
import * as member from '#src/member/schema'
import * as account from '#src/member/settings/account-schema'
import * as settings from '#src/member/settings/settings-schema'
import * as methods from '#src/member/settings/sign-in-methods-schema'
import * as model from '#src/model/schema'
import * as moderation from '#src/moderation/schema'
import * as offline from '#src/offline/schema'
import * as operator from '#src/operator/session-schema'
import * as passkey from '#src/passkey/schema'
import * as push from '#src/push/schema'
import * as review from '#src/review/schema'
import * as setup from '#src/setup/schema'
import { Removal } from '#src/shape/changes'
import * as operatorItem from '#src/story/draft-schema'
import * as story from '#src/story/schema'
import * as trending from '#src/trending/schema'
import * as userStory from '#src/user-story/schema'
import * as vote from '#src/vote/schema'
import type { JsonSchema } from './api-examples'

/** The schema files of the nouns. The document gives their shapes the names under which they are exported. */
const nouns: readonly Record<string, unknown>[] = [
  analytics,
  audit,
  challenge,
  demo,
  example,
  flag,
  feed,
  guideline,
  draft,
  plan,
  undo,
  job,
  library,
  listening,
  care,
  recovery,
  member,
  account,
  settings,
  methods,
  model,
  moderation,
  offline,
  operator,
  passkey,
  push,
  review,
  setup,
  operatorItem,
  story,
  trending,
  userStory,
  vote,
  { Removal, Done: t.Object({ success: t.Boolean() }) },
]

export type Shapes = Record<string, JsonSchema>

/**
 * Gives shapes their names: a schema that equals an exported one is replaced by a reference, and the shape is added to
 * `shapes`. `describe` generates the schemas of an app's calls in the form of the document.
 */
export function shapeNamer(describe: (app: AnyElysia) => JsonSchema[]) {
  const shapes: Shapes = {}
  const exported = nouns.flatMap((noun) => Object.entries(noun)).filter(([, schema]) => isShape(schema))
  const described = describe(
    exported.reduce<AnyElysia>(
      (app, [, response], at) => app.get(`/${at}`, () => null, { response: response as t.TObject }),
      new Elysia(),
    ),
  )
  const names = new Map(
    described.map((schema, at) => [keyOf(schema), exported[at]?.[0] ?? ''] as const).reverse(),
  )

  /** Replaces named shapes by references. A whole body or answer that no noun exports is called `fallback`. */
  function nameShapes(schema: JsonSchema, fallback?: string): JsonSchema {
    const isObject = schema.type === 'object' && schema.properties !== undefined
    const name = isObject ? (names.get(keyOf(schema)) ?? fallback) : undefined
    if (!name) return nameWithin(schema)
    shapes[name] ??= nameWithin(schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  function nameWithin(schema: JsonSchema): JsonSchema {
    const { properties, items, anyOf, additionalProperties } = schema
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, each]) => [field, nameShapes(each)]),
        ),
      }),
      ...(items && { items: nameShapes(items) }),
      ...(anyOf && { anyOf: anyOf.map((each) => nameShapes(each)) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: nameShapes(additionalProperties),
      }),
    }
  }

  return { shapes, nameShapes }
}

/**
 * A schema as text, independent of the order of its keywords. Its own title and description are not part of the shape.
 */
function keyOf({ description: _, title: __, ...schema }: JsonSchema): string {
  return JSON.stringify(schema, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

function isShape(value: unknown): value is t.TObject {
  return typeof value === 'object' && value !== null && t.KindGuard.IsObject(value as t.TSchema)
}
