import * as t from 'typebox'
import { emailCharactersMax, emailPattern } from '#src/member/rules'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { itemTypes, sources, statuses } from '#src/story/rules'
import { moderatorActions, notesCharactersMax, reasonCharactersMax, reportTypes } from './rules'

const instant = t.String({ examples: ['2026-11-20T20:15:00.000Z'] })

/** The fields of a report. A form sends an empty text for an omitted field. */
export const Report = t.Object({
  flagType: oneOf(reportTypes),
  flagReason: t.Optional(
    t.String({
      maxLength: reasonCharactersMax,
      description: 'In the reporter’s own words; needed with `other`.',
      examples: ['The content note does not mention the argument in the middle.'],
    }),
  ),
  email: t.Optional(
    t.Union(
      [t.String({ maxLength: emailCharactersMax, pattern: emailPattern, isEmail: true }), t.Literal('')],
      {
        description: 'Of a visitor who wants to hear the outcome. Members are told at their own.',
        examples: ['mara@example.com'],
        error: 'Expected an email address such as mara@example.com',
      },
    ),
  ),
})
export type Report = t.Static<typeof Report>

/** A report as operators see it: without the reporter, but with whether they can be notified. */
export const ContentFlag = t.Object({
  id: t.String(),
  storyId: t.String(),
  flagType: oneOf(reportTypes),
  flagReason: t.String({ examples: ['Cuts out at 11:02 for two seconds.'] }),
  createdAt: instant,
  moderatorAction: orNull(oneOf(moderatorActions)),
  moderatorNotes: orNull(t.String()),
  moderator: orNull(t.String({ description: 'Who reviews it, or decided.', examples: ['Ada'] })),
  resolvedAt: orNull(instant),
  reporter: oneOf(['member', 'visitor'] as const),
  isReporterTold: t.Boolean({ description: 'Whether there is an address to send the decision to.' }),
  openFlags: t.Integer({ description: 'Pending reports on the same item, including this one.' }),
  item: t.Object({
    title: t.String(),
    type: oneOf(itemTypes),
    source: oneOf(sources),
    slug: t.String(),
    status: oneOf(statuses),
    isShared: t.Boolean(),
    preview: t.String(),
  }),
})
export type ContentFlag = t.Static<typeof ContentFlag>

export const Decision = t.Object({
  moderatorAction: oneOf(moderatorActions),
  moderatorNotes: t.Optional(
    t.String({
      maxLength: notesCharactersMax,
      description: 'The reason, sent to the maker and the reporter.',
      examples: ['The note on the argument was missing.'],
    }),
  ),
  seen: t.Optional(
    t.Object(
      { resolvedAt: orNull(instant), status: oneOf(statuses) },
      {
        description:
          'The report’s `resolvedAt` and its item’s `status`, as they were read: where another operator decided since, or removed or restored the item, this answers 409.',
        examples: [{ resolvedAt: null, status: 'published' }],
      },
    ),
  ),
})
export type Decision = t.Static<typeof Decision>
