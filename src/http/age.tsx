import * as t from 'typebox'
import { askAgeProvider, readAgeAnswer } from '#src/http/age-provider'
import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName, sign, unsign, writeCookie } from '#src/http/cookies'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import { isCrawler } from '#src/http/visitor'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { AgeGate } from '#src/ui/age-gate'
import { urls } from '#src/urls'

const ageCookieSeconds = 365 * 24 * 3_600
const confirmed = 'confirmed'

/** The gate in place of a page for adults; null for whoever has passed it, and for known crawlers. */
export function ageGate(parts: Parts, request: Request, context: RequestContext): Promise<Response> | null {
  if (parts.env.ageGate === 'off' || isCrawler(request) || hasPassed(parts, context)) return null
  const { pathname, search } = new URL(request.url)
  return gatePage(parts, request, context, pathname + search)
}

/** By one's own word where that is enough; else by a provider's check that is not over. */
function hasPassed({ env, secrets }: Parts, { cookies }: RequestContext): boolean {
  const cookie = cookies.get(cookieName(cookieNames.age, env.isSecure))
  const value = unsign(secrets.session, cookieNames.age, cookie)
  if (value === null) return false
  if (env.ageGate === 'confirm') return true
  const [, until] = value.split('~')
  return Number(until) * 1_000 > Date.now()
}

type Refused = { message: string; status: number }

async function gatePage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  next: string,
  refused?: Refused,
): Promise<Response> {
  const { siteName, ageGate: gate } = parts.env
  const viewer = await viewerOf(parts, context)
  return renderPage(parts, request, viewer, {
    status: refused?.status,
    meta: { title: 'For adults', description: `${siteName} is for adults.` },
    frame: 'bare',
    body: (
      <AgeGate
        siteName={siteName}
        next={next}
        action={urls.ageConfirm()}
        leaveHref={urls.leave()}
        provider={gate === 'confirm' ? undefined : URL.parse(gate)?.hostname}
        error={refused?.message}
      />
    ),
  })
}

const next = t.Optional(t.String({ maxLength: 2_000 }))
const hide = { detail: { hide: true } }

/** The confirmation, the way to a provider and back, and the neutral page for those who leave. */
export function agePages(parts: Parts) {
  return router()
    .post(
      '/age',
      ({ body, context }) => {
        // Where the gate was turned off meanwhile, whoever stood before it goes in.
        if (parts.env.ageGate !== 'confirm' && parts.env.ageGate !== 'off')
          throw new Refusal(
            'forbidden',
            'One’s own word is not enough here. Open the page again to be checked.',
          )
        keepPass(parts, context, confirmed, ageCookieSeconds)
        return redirect(safePath(body.next))
      },
      { body: t.Object({ next }), ...hide },
    )
    .get(
      '/age/check',
      async ({ query, context }) =>
        redirect((await askAgeProvider(parts, context, safePath(query.next))).href),
      { query: t.Object({ next }), ...hide },
    )
    .get(
      '/age/answer',
      async ({ query, request, context }) => {
        try {
          const { method, until, next } = await readAgeAnswer(parts, context, query.answer ?? '')
          const untilSeconds = Math.floor(until.getTime() / 1_000)
          keepPass(parts, context, `${method}~${untilSeconds}`, untilSeconds - Math.floor(Date.now() / 1_000))
          return redirect(safePath(next))
        } catch (error) {
          const { status, message } = answerOf(error, parts.log, context.id)
          if (status >= 500 || status === 404) throw error
          return gatePage(parts, request, context, urls.explore(), { status, message })
        }
      },
      { query: t.Object({ answer: t.Optional(t.String({ maxLength: 8_000 })) }), ...hide },
    )
    .get(
      '/leave',
      () => new Response(neutralPage, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      hide,
    )
}

function keepPass(
  { env, secrets }: Parts,
  context: RequestContext,
  value: string,
  maxAgeSeconds: number,
): void {
  const signed = sign(secrets.session, cookieNames.age, value)
  context.setCookies.push(writeCookie(cookieNames.age, signed, { isSecure: env.isSecure, maxAgeSeconds }))
}

/** Nobody's page: no name, no icon, no colour of ours. */
const neutralPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Notes</title><link rel="icon" href="data:,"></head><body><h1>Notes</h1><p>Milk, bread, two lemons. Call about the boiler. Library books are due on Friday.</p></body></html>`
