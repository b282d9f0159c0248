import * as t from 'typebox'
import { decisions, severities } from '#src/guideline/rules'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { reasonCharactersMax, reviewedAtOnceMax, undecidedShownMax } from './rules'

export const HeldItem = t.Object({
  id: t.String(),
  title: t.String(),
  type: t.String(),
  source: t.String(),
  isShared: t.Boolean({ description: "A member's own that is to be shared with others." }),
  categories: t.Array(t.String()),
  heldFrom: orNull(t.String({ description: 'What it becomes once it is approved.' })),
  preview: t.String({ description: 'How its text begins.' }),
  updatedAt: t.String(),
  findings: t.Array(
    t.Object({
      ruleId: t.String(),
      description: t.String(),
      severity: oneOf(severities),
      decision: oneOf(decisions),
      places: t.Array(
        t.Object({ field: t.String(), start: t.Integer(), end: t.Integer(), text: t.String() }),
      ),
    }),
  ),
})
export type HeldItem = t.Static<typeof HeldItem>

/** A cause of holds, with its counts. */
export const HoldGroup = t.Object({
  ruleId: t.String({
    description:
      "A rule's id; `review:…` for what waits for an operator whatever the rules, `moderation:…` for a moderation model, `none` where nothing is written down.",
    examples: ['019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57'],
  }),
  description: t.String(),
  severity: oneOf(severities),
  held: t.Integer({ description: 'Items that it holds.' }),
  alone: t.Integer({ description: 'Those of them that nothing else holds.' }),
})
export type HoldGroup = t.Static<typeof HoldGroup>

const decision = oneOf(['approve', 'refuse'] as const)
const reason = t.Optional(
  t.String({ maxLength: reasonCharactersMax, description: 'For a refusal: what the maker is told.' }),
)

const readAt = t.Optional(
  t.String({
    maxLength: 40,
    description:
      'The latest `updatedAt` of the items as they were read: what was changed since is not decided on.',
    examples: ['2026-11-20T20:15:00.000Z'],
  }),
)

export const Review = t.Object({ decision, reason, readAt })
export type Review = t.Static<typeof Review>

/** A decision on many held items: some by id, all that a rule holds, or all. */
export const BulkReview = t.Object(
  {
    decision,
    reason,
    readAt,
    ids: t.Optional(t.Array(t.String({ maxLength: 64 }), { minItems: 1, maxItems: reviewedAtOnceMax })),
    ruleId: t.Optional(t.String({ maxLength: 200, description: 'What it holds: an id of the groups.' })),
    all: t.Optional(t.Literal(true)),
  },
  {
    examples: [
      {
        decision: 'approve',
        readAt: '2026-11-20T20:15:00.000Z',
        ids: ['019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57'],
      },
    ],
  },
)
export type BulkReview = t.Static<typeof BulkReview>

export const BulkReviewed = t.Object({
  decided: t.Integer({ description: 'Items that left the queue by this call.' }),
  undecided: t.Integer({ description: 'Items that were asked for and stay as they were.' }),
  remaining: t.Integer({ description: 'Items that the same call decides on when it is sent again.' }),
  why: t.Array(t.Object({ id: t.String(), message: t.String() }), {
    description: `Why items were not decided on, of the first ${undecidedShownMax}.`,
  }),
})
export type BulkReviewed = t.Static<typeof BulkReviewed>
