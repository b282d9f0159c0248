import * as t from 'typebox'
import { countBetaSignups, listBetaSignups } from '#src/beta/sign-up'
import { listFlags } from '#src/flag/change'
import { operatorNameOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import { endSession, giveSession } from '#src/http/sign-in-cookies'
import { applyImport } from '#src/import/apply'
import { decodeRows } from '#src/import/decode-rows'
import { readRows } from '#src/import/read-rows'
import type { Parts } from '#src/parts'
import { createItem } from '#src/story/create-item'
import { countLibrary } from '#src/story/library'
import { categories, durationMinutesDefault, sentCharactersMax } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { readNarratedVoice } from '#src/story/voice'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { AccessDoor } from './access-form'
import { OperatorSignIn } from './api'
import { accessPage, consolePage } from './console-page'
import { Dashboard, type DashboardTab, LogoutButton, OverviewTab, SignupsTab, UploadTab } from './dashboard'
import { signInOperator } from './sign-in'

const tabs = ['upload', 'overview', 'signups'] as const
const doors = ['admin', 'admin-login', 'premium-content'] as const
/** What a plain form did, said on the page it leads back to. */
const said = {
  story: 'Story created successfully',
  stories: 'Stories uploaded successfully',
  flag: 'Setting saved',
} as const
/** The first of the signups; the rest on request. */
const signupsShown = 100

const template =
  'Name\tCategory\tTags\tStory\nThe Night Ferry\tromantic\tsea, strangers\tThe last boat left at ten.\n'

/** The operators' entrance and their dashboard, and its forms without a script. */
export function operatorConsole(parts: Parts) {
  const { db } = parts
  const hide = { detail: { hide: true } }

  const dashboard = (
    request: Request,
    context: RequestContext,
    query: { tab?: DashboardTab; all?: string; said?: keyof typeof said },
  ) =>
    consolePage(
      parts,
      request,
      context,
      { title: 'Admin Dashboard', room: 'Dashboard', actions: <LogoutButton /> },
      async () => {
        const tab = query.tab ?? 'upload'
        return (
          <Dashboard tab={tab} words={await doorWords(parts)}>
            {query.said && <Notice kind="good">{said[query.said]}</Notice>}
            {tab === 'upload' && <UploadTab />}
            {tab === 'overview' && <OverviewTab flags={await listFlags(parts)} />}
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

  return router()
    .get('/admin', async ({ request, context, query }) => dashboard(request, context, query), {
      query: t.Object({
        tab: t.Optional(oneOf(tabs)),
        all: t.Optional(t.Literal('true')),
        said: t.Optional(oneOf(['story', 'stories', 'flag'])),
      }),
      ...hide,
    })
    .get(
      '/admin-login',
      async ({ request, context, caller }) =>
        caller.operator ? redirect(urls.analytics()) : accessPage(parts, request, context, 'admin-login'),
      hide,
    )
    .post(
      '/admin-login',
      async ({ body, request, context }) => {
        const { door, next, ...claim } = body
        return orAccessPage(parts, request, context, door ?? 'admin', safePath(next), async () => {
          const userAgent = request.headers.get('user-agent') ?? ''
          const { addressHash } = context.caller
          await giveSession(
            parts,
            context,
            'operator',
            await signInOperator(parts, claim, { userAgent, addressHash }),
          )
        })
      },
      {
        body: t.Composite([
          OperatorSignIn,
          t.Object({ door: t.Optional(oneOf(doors)), next: t.Optional(t.String({ maxLength: 2_000 })) }),
        ]),
        ...hide,
      },
    )
    .post(
      '/admin-logout',
      async ({ context }) => {
        await endSession(parts, context, 'operator')
        return redirect(urls.admin())
      },
      hide,
    )
    .get(
      '/admin/template.tsv',
      () =>
        new Response(template, { headers: { 'content-type': 'text/tab-separated-values; charset=utf-8' } }),
      hide,
    )
    .post(
      '/admin/story',
      async ({ body, caller }) => {
        const { category, voice, duration, ...text } = body
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
        return redirect(`${urls.admin()}?said=story`)
      },
      {
        body: t.Object({
          title: t.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
          content: t.String({ minLength: 1, maxLength: sentCharactersMax, pattern: '\\S' }),
          category: t.Optional(oneOf(categories)),
          duration: t.Optional(t.String({ maxLength: 10 })),
          voice: t.Optional(t.String({ maxLength: 40 })),
        }),
        ...hide,
      },
    )
    .post(
      '/admin/stories',
      async ({ body, caller }) => {
        const by = operatorNameOf(caller)
        const rows = await decodeRows(db, readRows('paste', body.rows).rows, by)
        await applyImport(
          db,
          { kind: 'paste', fileName: null, rows, audio: [], strict: true, narrate: 'none' },
          by,
        )
        return redirect(`${urls.admin()}?said=stories`)
      },
      { body: t.Object({ rows: t.String({ maxLength: 8 * 1024 * 1024 }) }), ...hide },
    )
}

async function doorWords({ db }: Parts): Promise<{ analytics: string; library: string }> {
  const { totalStories, totalFlows } = await countLibrary(db)
  const count = totalStories + totalFlows
  return {
    analytics: 'Use, completion, moderation',
    library: `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`,
  }
}

/** On to where the operator wanted to go; a wrong token shows the card again and says so. */
async function orAccessPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  door: AccessDoor,
  next: string,
  signIn: () => Promise<void>,
): Promise<Response> {
  try {
    await signIn()
    return redirect(next)
  } catch (error) {
    const { status, message } = answerOf(error, parts.log, context.id)
    if (status >= 500) throw error
    return accessPage(parts, request, context, door, { error: message, next, status })
  }
}
