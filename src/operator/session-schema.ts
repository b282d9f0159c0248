import * as t from 'typebox'
import { OpenSession } from '#src/member/console/operator-schema'

/** An open operator session. */
export const OperatorSession = t.Object({
  ...OpenSession.properties,
  name: t.String({ description: 'As given at the login; it stands in the audit log.', examples: ['Ada'] }),
  endsAt: t.String({
    description: 'When it ends at the latest; unused, it ends sooner.',
    examples: ['2026-11-21T04:15:00.000Z'],
  }),
})
export type OperatorSession = t.Static<typeof OperatorSession>
