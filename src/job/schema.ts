import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { jobStates } from './rules'

const instant = t.String({ examples: ['2026-11-20T20:15:00.000Z'] })
/** A job as the API shows it. */
export const Job = t.Object({
  id: t.String(),
  kind: t.String({ examples: ['narrate'] }),
  state: oneOf(jobStates),
  isAbandoned: t.Boolean({
    description: 'It should run, but its process has ended; it resumes automatically.',
    examples: [false],
  }),
  isPaused: t.Boolean({
    description: 'It waits, and does not start while operators have paused the queue.',
    examples: [false],
  }),
  storyId: orNull(t.String()),
  title: orNull(t.String()),
  voice: orNull(t.String({ examples: ['female'] })),
  narrator: orNull(t.String({ examples: ['rachel'] })),
  progress: t.Number({ minimum: 0, maximum: 1 }),
  priority: t.Integer({ description: 'Lower goes first.', examples: [100] }),
  attempts: t.Integer(),
  attemptsMax: t.Integer(),
  error: orNull(t.String({ description: 'What went wrong and what to do, of the last try.' })),
  result: t.Unknown({
    description: 'What it made: who spoke, for how much, and why nobody better did.',
    examples: [null],
  }),
  requestId: orNull(t.String({ description: 'The `X-Request-Id` of the call that asked for it.' })),
  runAfter: instant,
  createdAt: instant,
  startedAt: orNull(instant),
  finishedAt: orNull(instant),
})
export type Job = t.Static<typeof Job>
