import * as t from 'typebox'
import { memberOf, operatorNameOf } from '#src/request/caller'
import { listChangedAndRemoved } from '#src/request/list-changed'
import { about, router } from '#src/request/router'
import type { Services } from '#src/services'
import { ChangesQuery, Removal } from '#src/shape/changes'
import { createChallenge, editChallenge, removeChallenge } from './edit'
import { changeEnrolment, completeDay, joinChallenge, leaveChallenge } from './enrol'
import { listAllChallenges, listChallenges, listUserChallenges, requireChallenge } from './queries'
import { daysMax } from './rules'
import { Challenge, ChallengeDraft, OperatorChallenge, timeZone, UserChallenge } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const query = t.Object(ChangesQuery)
const done = t.Object({ success: t.Boolean() })
const noChallenge = { 404: 'There is no such challenge, or you are not in it' }

/** API calls for challenges: the published ones, a member's own, and the operators'. */
export function challengeApi({ db }: Services) {
  return router()
    .get(
      '/api/challenges',
      async ({ caller, query }) =>
        listChangedAndRemoved(db, 'published_challenge', query, () => listChallenges(db, caller.neverShown)),
      {
        query,
        response: t.Array(t.Union([Challenge, Removal])),
        ...about('challenges', 'List the challenges'),
      },
    )
    .get(
      '/api/challenges/:id',
      async ({ params: { id }, caller }) => requireChallenge(db, id, caller.neverShown),
      {
        params,
        response: Challenge,
        ...about('challenges', 'Get a challenge with its days'),
      },
    )
    .get('/api/user/challenges', async ({ caller }) => listUserChallenges(db, memberOf(caller).id), {
      response: t.Array(UserChallenge),
      ...about('challenges', 'List my challenges', 'With the day I am at, and when the next one opens.'),
    })
    .post(
      '/api/user/challenges',
      async ({ caller, body, status }) => status(201, await joinChallenge(db, memberOf(caller).id, body)),
      {
        body: t.Object({ challengeId: t.String({ maxLength: 64 }), timeZone }),
        response: { 201: UserChallenge },
        ...about('challenges', 'Join a challenge', 'Its first day opens at once.', noChallenge),
      },
    )
    .patch(
      '/api/user/challenges/:id',
      async ({ caller, params: { id }, body }) => changeEnrolment(db, memberOf(caller).id, id, body),
      {
        params,
        body: t.Object({ isPaused: t.Optional(t.Boolean()), timeZone: t.Optional(timeZone) }),
        response: UserChallenge,
        ...about(
          'challenges',
          'Pause a challenge, go on, or move to another time zone',
          undefined,
          noChallenge,
        ),
      },
    )
    .put(
      '/api/user/challenges/:id/days/:day',
      async ({ caller, params: { id, day } }) => completeDay(db, memberOf(caller).id, id, Number(day)),
      {
        params: t.Object({
          ...params.properties,
          day: t.String({ pattern: '^[1-9]\\d{0,2}$', description: `1 to ${daysMax}` }),
        }),
        response: UserChallenge,
        ...about(
          'challenges',
          'Complete a day of a challenge',
          'A missed day too. It happens by itself when its flow was heard to the end.',
          { ...noChallenge, 409: 'The day has not come yet' },
        ),
      },
    )
    .delete(
      '/api/user/challenges/:id',
      async ({ caller, params: { id } }) => {
        await leaveChallenge(db, memberOf(caller).id, id)
        return { success: true }
      },
      { params, response: done, ...about('challenges', 'Leave a challenge') },
    )
    .get(
      '/api/admin/challenges',
      async ({ query }) => listChangedAndRemoved(db, 'challenge', query, () => listAllChallenges(db)),
      {
        query,
        response: t.Array(t.Union([OperatorChallenge, Removal])),
        ...about('challenges', 'List all challenges, drafts too', 'With how many members are in each.'),
      },
    )
    .post(
      '/api/challenges',
      async ({ body, caller, status }) =>
        status(201, await createChallenge(db, body, operatorNameOf(caller))),
      {
        body: ChallengeDraft,
        response: { 201: Challenge },
        ...about('challenges', 'Make a challenge', 'A draft, unless isPublished is true.'),
      },
    )
    .put(
      '/api/challenges/:id',
      async ({ params: { id }, body, caller, context: { seen } }) =>
        editChallenge(db, id, { ...body, seen }, operatorNameOf(caller)),
      {
        params,
        body: ChallengeDraft,
        response: Challenge,
        ...about('challenges', 'Change a challenge', 'For everyone in it; completed days stay completed.'),
      },
    )
    .delete(
      '/api/challenges/:id',
      async ({ params: { id }, caller }) => {
        await removeChallenge(db, id, operatorNameOf(caller))
        return { success: true }
      },
      { params, response: done, ...about('challenges', 'Remove a challenge') },
    )
}
