import * as t from 'typebox'
import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName, sign, unsign, writeCookie } from '#src/http/cookies'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import { isCrawler } from '#src/http/visitor'
import type { Parts } from '#src/parts'
import { AgeGate } from '#src/ui/age-gate'

const ageCookieSeconds = 365 * 24 * 3_600

/** The gate in place of a page for adults; null for whoever has confirmed, and for known crawlers. */
export function ageGate(parts: Parts, request: Request, context: RequestContext): Promise<Response> | null {
  const { env, secrets } = parts
  if (env.ageGate === 'off' || isCrawler(request)) return null
  if (
    unsign(secrets.session, cookieNames.age, context.cookies.get(cookieName(cookieNames.age, env.isSecure)))
  )
    return null
  const { pathname, search } = new URL(request.url)
  return viewerOf(parts, context).then((viewer) =>
    renderPage(parts, request, viewer, {
      meta: { title: 'For adults', description: `${env.siteName} is for adults.` },
      frame: 'bare',
      body: <AgeGate siteName={env.siteName} next={pathname + search} action="/age" leaveHref="/leave" />,
    }),
  )
}

const AgeForm = t.Object({ next: t.Optional(t.String({ maxLength: 2_000 })) })

/** The confirmation, and the neutral page for those who leave. */
export function agePages(parts: Parts) {
  const { env, secrets } = parts
  return router()
    .post(
      '/age',
      ({ body, context }) => {
        const next = safePath(body.next)
        context.setCookies.push(
          writeCookie(cookieNames.age, sign(secrets.session, cookieNames.age, 'confirmed'), {
            isSecure: env.isSecure,
            maxAgeSeconds: ageCookieSeconds,
          }),
        )
        return new Response(null, { status: 303, headers: { location: next } })
      },
      { body: AgeForm, detail: { hide: true } },
    )
    .get(
      '/leave',
      () => new Response(neutralPage, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      { detail: { hide: true } },
    )
}

/** Nobody's page: no name, no icon, no colour of ours. */
const neutralPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Notes</title><link rel="icon" href="data:,"></head><body><h1>Notes</h1><p>Milk, bread, two lemons. Call about the boiler. Library books are due on Friday.</p></body></html>`
