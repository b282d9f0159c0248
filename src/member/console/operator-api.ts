import * as t from 'typebox'
import { removalDays } from '#db/changes'
import { wholeNumber } from '#src/http/query'
import { operatorNameOf } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, fileAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { readSince, SinceQuery } from '#src/shape/changes'
import { type ListedMember as Listed, listMemberChanges, listMembers, membersLimitMax } from './list-members'
import { deleteNamedMember, exportAudited, findMemberDetail } from './look-after'
import { DeletionProof, ListedMember, MemberDetail, MemberQuery, Suspension } from './operator-schema'
import { liftSuspension, signOutEverywhere, suspendMember } from './suspend'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const done = t.Object({ success: t.Boolean() })

/** Routes by which operators find, suspend, sign out, export and delete members. */
export function memberOperatorApi(services: Services) {
  const { db } = services
  return router()
    .get(
      '/api/members',
      async ({ query, set, context }) => {
        const { limit = 50, cursor, updatedSince, ...filter } = query
        const since = readSince({ updatedSince }, removalDays)
        if (since) {
          const changes = await listMemberChanges(db, { ...filter, limit, cursor }, since)
          Object.assign(set.headers, pageHeaders(context, changes))
          return changes.members.map(toAnswer)
        }
        const { members, ...page } = await listMembers(db, { ...filter, limit, cursor })
        Object.assign(set.headers, pageHeaders(context, page))
        return members.map(toAnswer)
      },
      {
        query: t.Object({
          ...MemberQuery,
          limit: t.Optional(wholeNumber('limit', 1, membersLimitMax)),
          cursor: t.Optional(
            t.String({
              maxLength: 200,
              description:
                'The id of the last member of the page before; of a list of changes, what its `Link` has.',
            }),
          ),
          ...SinceQuery,
        }),
        response: t.Array(ListedMember),
        ...about(
          'members',
          'List and find members, the newest first',
          'With `updatedSince` only those whose account changed since then, the longest ago first. Deleted members are not among them, and leave no id: read the whole list again to notice them.',
        ),
      },
    )
    .get('/api/members/:id', async ({ params: { id } }) => findMemberDetail(db, id), {
      params,
      response: MemberDetail,
      ...about('members', 'Look at one member', 'With open sessions, and what they have in numbers.'),
    })
    .post(
      '/api/members/:id/suspension',
      async ({ params: { id }, body, caller, status }) => {
        await suspendMember(db, id, body.reason, operatorNameOf(caller))
        return status(201, { success: true })
      },
      {
        params,
        body: Suspension,
        response: { 201: done },
        ...about(
          'members',
          'Suspend a member',
          'Their sessions end at once, and their private feeds are silent until it is lifted. Signing in tells them the reason; suspending again changes it.',
        ),
      },
    )
    .delete(
      '/api/members/:id/suspension',
      async ({ params: { id }, caller }) => {
        await liftSuspension(db, id, operatorNameOf(caller))
        return { success: true }
      },
      { params, response: done, ...about('members', 'Lift a suspension') },
    )
    .delete(
      '/api/members/:id/sessions',
      async ({ params: { id }, caller }) => {
        await signOutEverywhere(db, id, operatorNameOf(caller))
        return { success: true }
      },
      {
        params,
        response: done,
        ...about(
          'members',
          'Sign a member out everywhere',
          'Ends sessions, private feeds, remembered devices and links in mails.',
        ),
      },
    )
    .get(
      '/api/members/:id/export',
      async ({ params: { id }, caller }) => exportAudited(services, id, caller),
      {
        params,
        detail: {
          ...about('members', 'Export everything held about a member').detail,
          description: 'One zip: a README, JSON of every table that holds something, and their narrations.',
          responses: { 200: fileAnswer('A zip, sent as it is made', 'application/zip') },
        },
      },
    )
    .delete(
      '/api/members/:id',
      async ({ params: { id }, body, caller }) => {
        await deleteNamedMember(services, id, body.email, operatorNameOf(caller))
        return { success: true }
      },
      {
        params,
        body: DeletionProof,
        response: done,
        ...about('members', 'Delete a member', 'At once and for good, with everything of theirs.'),
      },
    )
}

function toAnswer({ createdAt, updatedAt, suspendedAt, ...member }: Listed) {
  return {
    ...member,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    suspendedAt: suspendedAt?.toISOString() ?? null,
  }
}
