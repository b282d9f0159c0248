import * as t from 'typebox'
import { countBetaSignups, listBetaSignups } from '#src/beta/sign-up'
import { listFlags } from '#src/feature-flag/change'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import { applyImport } from '#src/import/apply'
import { decodeRows } from '#src/import/decode-rows'
import { chooseRows } from '#src/import/rows/choose-rows'
import { readRows } from '#src/import/rows/read-rows'
import { createItem } from '#src/library/create-item'
import { countLibrary } from '#src/library/queries'
import { countWaiting } from '#src/moderation/waiting'
import { operatorNameOf, requireOperator } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import { Unsent, unsentPage } from '#src/request/unsent-form'
import type { Services } from '#src/services'
import { endSession, giveSession } from '#src/session/session-cookies'
import { describeSetup } from '#src/setup/describe-setup'
import { FirstSteps } from '#src/setup/first-steps'
import { refusedField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { keysOf } from '#src/shape/pick'
import { requireShape } from '#src/shape/validate'
import { StoryForm, TypedStory } from '#src/story/draft-schema'
import { durationMinutesDefault } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import type { FormError } from '#src/ui/field-problem'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { OperatorSignIn } from './api'
import { accessPage, consolePage } from './console-page'
import {
  Dashboard,
  type DashboardTab,
  LogoutButton,
  OverviewTab,
  type RefusedUpload,
  SignupsTab,
  tabNames,
  UploadTab,
} from './dashboard'
import { endOperatorSession, endOtherOperatorSessions, listOperatorSessions } from './session'
import { signInOperator } from './sign-in'
import { fillInBoth } from './single-story-form'

const entrances = ['admin', 'admin-login', 'premium-content'] as const
/** The results of plain forms, which are shown on the page they redirect to. */
const said = {
  story: 'Story created successfully',
  stories: 'Stories uploaded successfully',
  flag: 'Setting saved',
  session: 'The session has ended.',
  sessions: 'All other operator sessions have ended.',
} as const
type Said = keyof typeof said
/** A refused form with more is not shown again: rendering it would block other requests, and Back still has it. */
const shownAgainCharactersMax = 256 * 1024
/** How many sign-ups are shown at first; the others on request. */
const signupsShown = 100

const template =
  'Name\tCategory\tTags\tStory\nThe Night Ferry\tromantic\tsea, strangers\tThe last boat left at ten.\n'

/** The operators' entrance, their dashboard, and its forms without a script. */
export function operatorConsole(services: Services) {
  const { db } = services
  const hide = { detail: { hide: true } }

  const dashboard = (
    context: RequestContext,
    {
      tab = 'upload',
      refused,
      ...query
    }: { tab?: DashboardTab; all?: string; said?: Said; refused?: RefusedUpload },
  ) =>
    consolePage(
      context,
      { title: 'Admin Dashboard', tab: tabNames[tab], room: 'Dashboard', actions: <LogoutButton /> },
      async () => {
        const { totalStories, totalFlows } = await countLibrary(db)
        return (
          <Dashboard
            tab={tab}
            itemCount={totalStories + totalFlows}
            waiting={await countWaiting(db)}
            firstSteps={<FirstSteps setup={await describeSetup(services)} />}
          >
            {query.said && <Notice kind="good">{said[query.said]}</Notice>}
            {tab === 'upload' && <UploadTab refused={refused} />}
            {tab === 'overview' && (
              <OverviewTab
                flags={await listFlags(services)}
                sessions={await listOperatorSessions(services, context.caller.operator?.sid ?? null)}
              />
            )}
            {tab === 'signups' && (
              <SignupsTab
                count={await countBetaSignups(db)}
                signups={await listBetaSignups(db, query.all ? undefined : signupsShown)}
              />
            )}
          </Dashboard>
        )
      },
    )

  /** Shows a refused upload again with what was typed, unless it is very long. */
  const submit = async (
    context: RequestContext,
    typed: Record<string, string>,
    work: () => Promise<string>,
    refused: (problem: FormError) => RefusedUpload,
  ) => {
    if (Object.values(typed).join('').length > shownAgainCharactersMax) return redirect(await work())
    return rerenderWithError(context, work, (problem) => dashboard(context, { refused: refused(problem) }))
  }

  return router()
    .get('/admin', async ({ context, query }) => dashboard(context, query), {
      query: t.Object({
        tab: t.Optional(oneOf(keysOf(tabNames))),
        all: t.Optional(t.Literal('true')),
        said: t.Optional(oneOf(keysOf(said))),
      }),
      ...hide,
    })
    .get(
      '/admin-login',
      async ({ context, caller }) =>
        caller.operator ? redirect(urls.analytics()) : accessPage(context, 'admin-login'),
      hide,
    )
    .post(
      '/admin-login',
      async ({ body, request, context }) => {
        const { entrance = 'admin', unsent, ...claim } = body
        const next = safePath(body.next)
        const signIn = async () => {
          const userAgent = request.headers.get('user-agent') ?? ''
          const { addressHash } = context.caller
          const token = await signInOperator(services, claim, { userAgent, addressHash })
          await giveSession(context, 'operator', token)
          return (await unsentPage(context, unsent, next)) ?? next
        }
        return rerenderWithError(context, signIn, ({ message }) =>
          accessPage(context, entrance, { error: message, next, unsent }),
        )
      },
      {
        body: t.Composite([
          OperatorSignIn,
          t.Object({
            entrance: t.Optional(oneOf(entrances)),
            next: t.Optional(t.String({ maxLength: 2_000 })),
            unsent: Unsent,
          }),
        ]),
        ...hide,
      },
    )
    .post(
      '/admin-logout',
      async ({ context }) => {
        await endSession(context, 'operator')
        return redirect(urls.admin())
      },
      hide,
    )
    .post(
      '/admin/sessions',
      async ({ body: { id }, caller }) => {
        const { name, sid } = requireOperator(caller)
        if (id) await endOperatorSession(services, id, name)
        else await endOtherOperatorSessions(services, name, sid)
        return redirect(urls.admin({ tab: 'overview', said: id ? 'session' : 'sessions' }))
      },
      { body: t.Object({ id: t.Optional(t.String({ maxLength: 64 })) }), ...hide },
    )
    .get(
      '/admin/template.tsv',
      () =>
        new Response(template, { headers: { 'content-type': 'text/tab-separated-values; charset=utf-8' } }),
      hide,
    )
    .post(
      '/admin/story',
      async ({ context, body, caller }) => {
        const work = async () => {
          for (const field of ['title', 'content'] as const)
            if (!body[field]?.trim()) throw refusedField(field, fillInBoth)
          const { category, voice, duration, ...text } = requireShape(StoryForm, body)
          const minutes = Number.parseInt(duration ?? '', 10)
          await createItem(
            db,
            {
              ...text,
              categories: category ? [category] : ['romantic'],
              duration: Number.isNaN(minutes) ? durationMinutesDefault : minutes,
              ...readNarratedVoice(voice ?? 'female'),
            },
            operatorNameOf(caller),
          )
          return urls.admin({ said: 'story' })
        }
        return submit(context, body, work, (problem) => ({ story: { typed: body, problem } }))
      },
      { body: TypedStory, ...hide },
    )
    .post(
      '/admin/stories',
      async ({ context, body, caller }) => {
        const work = async () => {
          const by = operatorNameOf(caller)
          const rows = await decodeRows(db, chooseRows(readRows('paste', body.rows)).rows, by)
          await applyImport(
            db,
            { kind: 'paste', fileName: null, rows, audio: [], strict: true, narrate: 'none' },
            by,
          )
          return urls.admin({ said: 'stories' })
        }
        return submit(context, body, work, ({ message: problem }) => ({
          stories: { typed: body.rows, problem },
        }))
      },
      { body: t.Object({ rows: t.String({ maxLength: 8 * 1024 * 1024 }) }), ...hide },
    )
}
