import { checksVersion, type NamedRoute } from '#src/http/route'
import type { JsonSchema } from './api-examples'

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

/** Describes the parameters of a call, and the headers that its route reads. */
export function describeParameters(own: readonly Parameter[], route: NamedRoute): Parameter[] {
  const described = own.map(({ schema: { description, ...schema }, ...rest }) => ({
    ...rest,
    description: description ?? descriptionOf(rest.name, route.name),
    schema,
  }))
  return [
    ...described,
    ...(checksVersion(route) ? [ifMatch] : []),
    ...(route.isIdempotent ? [idempotencyKey] : []),
  ]
}

/** Description of a parameter whose schema has none. */
function descriptionOf(name: string, route: string): string {
  const described = descriptions[name]
  if (described) return described
  const [, before] = route.match(new RegExp(`/([\\w-]+)/:${name}\\b`)) ?? []
  if (!before) throw new Error(`${name} of ${route} has no description: src/server/api-parameters.ts.`)
  const one = idNouns[before]
  if (!one) throw new Error(`The ids of ${before} name nothing: src/server/api-parameters.ts.`)
  return `The id of the ${one}.`
}

/** Nouns for the ids in an address, by the segment before the id. */
const idNouns: Record<string, string> = {
  audit: 'change',
  challenges: 'challenge',
  changes: 'change',
  content: 'item',
  'content-flags': 'report',
  'content-guidelines': 'rule',
  feedback: 'comment',
  files: 'file',
  'held-content': 'item',
  'import-drafts': 'import',
  imports: 'import',
  jobs: 'job',
  members: 'member',
  narrations: 'narration',
  passkeys: 'passkey',
  'premium-audio': 'item',
  'premium-content': 'item',
  push: 'browser',
  sessions: 'session',
  stories: 'item',
  'training-examples': 'example',
}

const descriptions: Record<string, string> = {
  action: 'Only changes of this kind.',
  category: 'Only items with this category.',
  figure: 'Which figure; searches by default.',
  confirm: 'With true, it is saved although it would hold much of the library.',
  contentId: 'The id of the item.',
  contentKey: 'source:type:id of the item.',
  contentType: 'Whether the item is a story or a flow.',
  cursor: 'Where the page before ended, from its `Link`.',
  day: 'The number of the day, from 1.',
  days: 'The period: this many days back from today.',
  dryRun: 'With true, the answer is the plan, and nothing changes.',
  edited: 'What happens to items edited since: they stay (keep), or go too (remove).',
  kind: 'Only jobs of this kind, such as narrate.',
  length: 'Only items of this length.',
  limit: 'At most this many entries per page.',
  narrate: 'Which of the items are to be narrated.',
  order: 'What the list is sorted by.',
  provider: 'Who signs people in.',
  q: 'Words to look for, or how they begin.',
  sort: 'The order: newest, oldest, or by duration.',
  source: 'Who made the items.',
  state: 'Only entries in this state.',
  status: 'Only items with this status; removed ones only where it says so.',
  storyId: 'Only what belongs to this item, by its id.',
  strict: 'With true, a row with a problem refuses the whole import.',
  timeframe: 'The period that is counted.',
  type: 'Only stories, or only flows.',
  voice: 'female or male: the voice of the narration.',
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag of the version that was read, or `"<updatedAt>"` of a list\'s entry: any other version answers 412. Without it, any version is overwritten.',
  schema: { type: 'string', examples: ['"2026-11-20T20:15:00.000Z/1x9k2v"'] },
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A text of your choice, known for 24 hours: the same call with it is done once and answered alike. With another body it is 422; while the first is under way 409.',
  schema: { type: 'string', maxLength: 255, examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'] },
}
