import * as t from 'typebox'
import { operatorNameOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { router } from '#src/http/router'
import { consolePage } from '#src/operator/console-page'
import type { Parts } from '#src/parts'
import { type FieldProblem, Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { countMembers, listMembers } from './list-members'
import { deleteNamedMember, findMemberDetail } from './look-after'
import { MemberCard } from './member-card'
import { MemberList } from './member-list'
import { MemberQuery } from './operator-schema'
import { liftSuspension, signOutEverywhere, suspendMember } from './suspend'

/** What a form did, said on the page that it leads to. */
const said = {
  suspended: 'Suspended, and signed out everywhere.',
  lifted: 'The suspension is lifted.',
  'signed-out': 'Signed out everywhere.',
  deleted: 'The member is deleted.',
} as const
type Said = keyof typeof said
const saids = Object.keys(said) as Said[]

const membersShown = 50
const params = t.Object({ id: t.String({ maxLength: 64 }) })
const hide = { detail: { hide: true } }

/** /members: found, listed, looked after. Plain forms: they work without a script, and by the keyboard. */
export function memberConsole(parts: Parts) {
  const { db } = parts
  return router()
    .get(
      '/members',
      async ({ request, context, query }) =>
        consolePage(parts, request, context, { title: 'Members', room: 'Members' }, async () => {
          const { cursor, said: done, ...filter } = query
          const [rows, count] = await Promise.all([
            listMembers(db, { ...filter, limit: membersShown + 1, before: cursor }),
            countMembers(db, filter),
          ])
          return (
            <>
              {done && <Notice kind="good">{said[done]}</Notice>}
              <MemberList
                members={rows.slice(0, membersShown)}
                hasMore={rows.length > membersShown}
                total={count}
                filter={filter}
              />
            </>
          )
        }),
      {
        query: t.Object({
          ...MemberQuery,
          cursor: t.Optional(t.String({ maxLength: 64 })),
          said: t.Optional(oneOf(saids)),
        }),
        ...hide,
      },
    )
    .get(
      '/members/:id',
      async ({ request, context, params: { id }, query }) =>
        memberPage(parts, request, context, id, { done: query.said }),
      { params, query: t.Object({ said: t.Optional(oneOf(saids)) }), ...hide },
    )
    .post(
      '/members/:id/suspend',
      async ({ request, context, caller, params: { id }, body }) =>
        orAgain(parts, request, context, id, body.reason, async () => {
          await suspendMember(db, id, body.reason, operatorNameOf(caller))
          return urls.member(id, { said: 'suspended' })
        }),
      { params, body: t.Object({ reason: t.String({ maxLength: 2_000 }) }), ...hide },
    )
    .post(
      '/members/:id/lift',
      async ({ caller, params: { id } }) => {
        await liftSuspension(db, id, operatorNameOf(caller))
        return redirect(urls.member(id, { said: 'lifted' }))
      },
      { params, ...hide },
    )
    .post(
      '/members/:id/sign-out',
      async ({ caller, params: { id } }) => {
        await signOutEverywhere(db, id, operatorNameOf(caller))
        return redirect(urls.member(id, { said: 'signed-out' }))
      },
      { params, ...hide },
    )
    .post(
      '/members/:id/delete',
      async ({ request, context, caller, params: { id }, body }) =>
        orAgain(parts, request, context, id, undefined, async () => {
          await deleteNamedMember(parts, id, body.email, operatorNameOf(caller))
          return urls.members({ said: 'deleted' })
        }),
      { params, body: t.Object({ email: t.String({ maxLength: 2_000 }) }), ...hide },
    )
}

type Shown = { done?: Said; problem?: FieldProblem; reason?: string; status?: number }

async function memberPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  id: string,
  { done, problem, reason, status }: Shown,
): Promise<Response> {
  // Before the card that asks for the token: there is one address of a member, however it is written.
  if (!isId(id)) throw new Refusal('not_found', 'There is no such member.')
  return consolePage(parts, request, context, { title: 'Member', room: 'Members', status }, async () => (
    <>
      {done && <Notice kind="good">{said[done]}</Notice>}
      <MemberCard member={await findMemberDetail(parts.db, id)} problem={problem} reason={reason} />
    </>
  ))
}

/** Leads on; a refusal shows the page again with what was typed and why. */
async function orAgain(
  parts: Parts,
  request: Request,
  context: RequestContext,
  id: string,
  reason: string | undefined,
  work: () => Promise<string>,
): Promise<Response> {
  try {
    return redirect(await work())
  } catch (error) {
    const { status, fields } = answerOf(error, parts.log, context.id)
    const [problem] = fields ?? []
    if (status !== 422 || !problem) throw error
    return memberPage(parts, request, context, id, { problem, reason, status })
  }
}
