import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { consoleUrls } from '#src/console-urls'
import { redirect } from '#src/http/redirect'
import { consolePage } from '#src/operator/console-page'
import { operatorNameOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { oneOf } from '#src/shape/one-of'
import { keysOf } from '#src/shape/pick'
import { Notice } from '#src/ui/notice'
import { listMembers } from './list-members'
import { deleteNamedMember, findMemberDetail } from './look-after'
import { MemberCard, type RefusedForm } from './member-card'
import { drawMembers, membersConsolePage } from './member-list'
import { MemberQuery } from './operator-schema'
import { liftSuspension, signOutEverywhere, suspendMember } from './suspend'

/** The outcome of a form, shown on the page that it redirects to. */
const said = {
  suspended: 'Suspended, and signed out everywhere.',
  lifted: 'The suspension is lifted.',
  'signed-out': 'Signed out everywhere. Private feeds have ended too.',
  deleted: 'The member is deleted.',
} as const
type Said = keyof typeof said
type Detail = Awaited<ReturnType<typeof findMemberDetail>>

/** Whether an outcome still holds. Back, a reload or a bookmark may open its address again after a further action. */
const isStillSo: Record<Said, (member: Detail) => boolean> = {
  suspended: ({ suspendedAt }) => suspendedAt !== null,
  lifted: ({ suspendedAt }) => suspendedAt === null,
  'signed-out': ({ sessions }) => sessions.length === 0,
  deleted: () => false,
}
const saids = keysOf(said)

const membersShown = 50
const params = t.Object({ id: t.String({ maxLength: 64 }) })
const hide = { detail: { hide: true } }

/** /members: search, list and one member. Plain forms, which work without a script and by keyboard. */
export function memberConsole(services: Services) {
  const { db } = services
  return router()
    .get(
      '/members',
      async ({ context, query }) =>
        consolePage(context, membersConsolePage, async () => {
          const { cursor, said: done, ...filter } = query
          const page = await listMembers(db, { ...filter, limit: membersShown, cursor })
          return drawMembers(context, { page, filter, done: done && said[done] })
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
      async ({ context, params: { id }, query }) => memberPage(context, id, { done: query.said }),
      { params, query: t.Object({ said: t.Optional(oneOf(saids)) }), ...hide },
    )
    .post(
      '/members/:id/suspend',
      async ({ context, caller, params: { id }, body }) =>
        submit(context, id, { form: 'suspend', reason: body.reason }, async () => {
          await suspendMember(db, id, body.reason, operatorNameOf(caller))
          return consoleUrls.member(id, { said: 'suspended' })
        }),
      { params, body: t.Object({ reason: t.String({ maxLength: 2_000 }) }), ...hide },
    )
    .post(
      '/members/:id/lift',
      async ({ caller, params: { id } }) => {
        await liftSuspension(db, id, operatorNameOf(caller))
        return redirect(consoleUrls.member(id, { said: 'lifted' }))
      },
      { params, ...hide },
    )
    .post(
      '/members/:id/sign-out',
      async ({ caller, params: { id } }) => {
        await signOutEverywhere(db, id, operatorNameOf(caller))
        return redirect(consoleUrls.member(id, { said: 'signed-out' }))
      },
      { params, ...hide },
    )
    .post(
      '/members/:id/delete',
      async ({ context, caller, params: { id }, body }) =>
        submit(context, id, { form: 'delete' }, async () => {
          await deleteNamedMember(services, id, body.email, operatorNameOf(caller))
          return consoleUrls.members({ said: 'deleted' })
        }),
      { params, body: t.Object({ email: t.String({ maxLength: 2_000 }) }), ...hide },
    )
}

type Shown = { done?: Said; problem?: RefusedForm; reason?: string }

async function memberPage(
  context: RequestContext,
  id: string,
  { done, problem, reason }: Shown,
): Promise<Response> {
  // Checked before the access card is shown: the id is the only address of a member.
  if (!isId(id)) throw new AppError('not_found', 'There is no such member.')
  return consolePage(context, { title: 'Member', room: 'Members' }, async () => {
    const member = await findMemberDetail(context.services.db, id)
    return (
      <>
        {done && isStillSo[done](member) && <Notice kind="good">{said[done]}</Notice>}
        <MemberCard member={member} problem={problem} reason={reason} />
      </>
    )
  })
}

/**
 * Runs the action of a form and redirects. If it is refused, shows the page again with the typed text and the reason.
 */
function submit(
  context: RequestContext,
  id: string,
  { form, reason }: Pick<RefusedForm, 'form'> & Pick<Shown, 'reason'>,
  work: () => Promise<string>,
): Promise<Response> {
  return rerenderWithError(context, work, (error) =>
    memberPage(context, id, { problem: { form, ...error }, reason }),
  )
}
