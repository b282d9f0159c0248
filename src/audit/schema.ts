import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { searchCharactersMax } from '#src/story/rules'
import { auditActions } from './rules'

const day = (description: string) =>
  t.Optional(t.String({ maxLength: 10, description, examples: ['2026-11-23'] }))

/** The query of a list or an export. Forms send empty fields too. */
export const AuditQuery = {
  actor: t.Optional(t.String({ maxLength: 200, description: 'Only what this operator changed.' })),
  action: t.Optional(
    oneOf(auditActions, {
      description: 'One action on one kind of subject.',
      examples: ['item.edit'],
    }),
  ),
  item: t.Optional(
    t.String({
      maxLength: searchCharactersMax,
      description: 'An item’s id, or beginnings of the words of its title.',
    }),
  ),
  from: day('The first day, in UTC.'),
  to: day('The last day, in UTC.'),
}

const state = t.Unknown({ description: 'Null where there was nothing.', examples: [{ duration: 15 }] })

export const AuditChange = t.Object({
  id: t.String(),
  at: t.String({ examples: ['2026-11-20T20:15:00.000Z'] }),
  actor: t.String({ examples: ['Ada'] }),
  action: t.String({ examples: ['edit'] }),
  subjectType: t.String({ examples: ['item'] }),
  subjectId: t.Union([t.String(), t.Null()]),
  name: t.Union([t.String(), t.Null()], {
    description: 'What it is about, as sentences name it; null where that is not known any longer.',
    examples: ['“The Night Ferry”'],
  }),
  sentence: t.String({ description: 'What the actor did.', examples: ['edited “The Night Ferry”'] }),
  before: state,
  after: state,
  isUndone: t.Boolean({ description: 'Whether a change of many was taken back.', examples: [false] }),
  items: t.Integer({ description: 'How many items it names, of a change to many.', examples: [0] }),
})

export const AuditItem = t.Object({
  id: t.String(),
  title: t.String(),
  verdict: t.String({ examples: ['keep'] }),
  fields: t.Array(t.String(), {
    description: 'What an import wrote of it, or what was edited since.',
    examples: [['content']],
  }),
})
