import { defineCommand } from 'citty'
import { chooseNumber } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printCursor, printNote, table } from '#cli/output'
import { sinceFlag, sinceOf } from '#cli/since'
import { type CliServices, operatorName, withServices } from '#cli/with-services'
import { listHeld, listHoldGroups } from '#src/review/held'
import { reviewHeld, reviewManyHeld } from '#src/review/review'
import { heldLimitMax, reviewedAtOnceMax } from '#src/review/rules'
import type { BulkReview, BulkReviewed, Review } from '#src/review/schema'
import { requireItemId } from '#src/story/find-item-id'
import { pluralize } from '#src/text/pluralize'

export const held = defineCommand({
  meta: {
    name: 'held',
    description:
      'Counts held items by what holds them, then lists them, the longest waiting first. Examples: nocturne guidelines held · nocturne guidelines held --rule 019c…',
  },
  args: {
    rule: { type: 'string', description: 'Only what this rule holds: an id of the counts' },
    limit: { type: 'string', description: 'How many', default: String(heldLimitMax) },
    cursor: { type: 'string', description: 'The cursor that the page before printed' },
    ...sinceFlag,
    ...jsonFlag,
  },
  run: ({ args }) => {
    const limit = chooseNumber('limit', args.limit, { min: 1, max: heldLimitMax })
    return withServices(async ({ db }) => {
      const rules = await listHoldGroups(db)
      const page = { ruleId: args.rule, limit, cursor: args.cursor, since: sinceOf(args)?.since }
      const { held: items, nextCursor, total } = await listHeld(db, page)
      print(args, { rules, items }, () => [
        ...table(
          rules.map(({ ruleId, severity, held: count, description }) => [
            ruleId,
            count.toLocaleString('en'),
            severity,
            description,
          ]),
        ),
        ...items.flatMap((item) => [
          `${item.id}  ${item.title}`,
          ...item.findings.map((each) => `  ${each.severity}: ${each.description}`),
        ]),
      ])
      printNote(`${items.length.toLocaleString('en')} of ${total.toLocaleString('en')} held`)
      printCursor(nextCursor)
    })
  },
})

const whichArgs = {
  'items…': { type: 'positional', description: 'Held items, by slug or id', required: false },
  rule: {
    type: 'string',
    description: 'All that this rule holds: an id of the counts of nocturne guidelines held',
  },
  all: { type: 'boolean', description: 'All that is held', default: false },
  'read-at': {
    type: 'string',
    description:
      'The latest updatedAt of nocturne guidelines held --json: items changed since are left undecided',
  },
} as const

export const approve = defineCommand({
  meta: {
    name: 'approve',
    description:
      'Approves held items, which get their intended status. Examples: nocturne guidelines approve the-night-ferry · nocturne guidelines approve --rule 019c…',
  },
  args: { ...whichArgs, ...jsonFlag },
  run: ({ args }) => {
    requireOneOf(args)
    return withServices((services) =>
      review(services, args, { decision: 'approve', readAt: args['read-at'] }),
    )
  },
})

export const refuse = defineCommand({
  meta: {
    name: 'refuse',
    description:
      'Refuses held items, which leave the library; members are told why. Asks if it is more than one. Examples: nocturne guidelines refuse the-night-ferry --reason "Not about adults by its words" · nocturne guidelines refuse --rule 019c… --yes',
  },
  args: {
    ...whichArgs,
    reason: { type: 'string', description: 'What the makers are told' },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    requireOneOf(args)
    const isOne = args._.length === 1 && !args.all && args.rule === undefined
    if (!isOne && !args.yes && !(await confirm(`Refuse ${whatIsMeant(args)}? Their rows are kept.`))) return
    await withServices((services) =>
      review(services, args, { decision: 'refuse', reason: args.reason, readAt: args['read-at'] }),
    )
  },
})

type Which = { _: string[]; rule?: string; all: boolean; json: boolean }

function requireOneOf({ _: items, rule, all }: Which): void {
  if ([items.length > 0, rule !== undefined, all].filter(Boolean).length !== 1)
    throw new UsageError('Name items by slug or id, or use --rule or --all: one of the three.')
}

function whatIsMeant({ _: items, all }: Which): string {
  if (all) return 'all that is held'
  return items.length > 0 ? pluralize(items.length, 'item') : 'all that this rule holds'
}

async function review(services: CliServices, which: Which, decision: Review): Promise<void> {
  const done = decision.decision === 'approve' ? 'Approved' : 'Refused'
  if (which._.length === 1) {
    const id = await requireItemId(services.db, which._[0] ?? '')
    const { status } = await reviewHeld(services, id, decision, operatorName())
    return print(which, { id, status }, () => [
      decision.decision === 'approve' ? `Approved: ${status}.` : 'Refused. Its row is kept.',
    ])
  }
  const reviewed = await reviewAll(services, await reviewsOf(services, which, decision))
  print(which, reviewed, () => [
    `${done}: ${reviewed.decided.toLocaleString('en')}. Not decided: ${reviewed.undecided.toLocaleString('en')}.`,
    ...reviewed.why.map(({ id, message }) => `  ${id}  ${message}`),
  ])
  if (reviewed.undecided > 0) process.exitCode = 1
}

/** Returns the requests for a decision, in batches of the maximum size of a call. */
async function reviewsOf(services: CliServices, { _: names, rule, all }: Which, decision: Review) {
  if (all) return [{ ...decision, all: true as const }]
  if (rule !== undefined) return [{ ...decision, ruleId: rule }]
  const ids: string[] = []
  for (const name of names) ids.push(await requireItemId(services.db, name))
  return Array.from({ length: Math.ceil(ids.length / reviewedAtOnceMax) }, (_, at) => ({
    ...decision,
    ids: ids.slice(at * reviewedAtOnceMax, (at + 1) * reviewedAtOnceMax),
  }))
}

/** Repeats each call until no items remain, or a call decides none. */
async function reviewAll(services: CliServices, reviews: readonly BulkReview[]): Promise<BulkReviewed> {
  const sum: BulkReviewed = { decided: 0, undecided: 0, remaining: 0, why: [] }
  for (const review of reviews)
    for (let before = Number.POSITIVE_INFINITY; ; before = sum.remaining) {
      const each = await reviewManyHeld(services, review, operatorName())
      sum.decided += each.decided
      sum.undecided += each.undecided
      sum.remaining = each.remaining
      sum.why.push(...each.why)
      if (each.remaining === 0 || each.remaining >= before) break
      printNote(`${each.remaining.toLocaleString('en')} remain`)
    }
  return sum
}
