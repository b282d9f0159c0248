import * as t from 'typebox'
import { askAgeProvider, readAgeAnswer } from '#src/age/age-provider'
import { AppError } from '#src/app-error'
import { isCrawler } from '#src/http/crawler'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readSignedCookie, writeSignedCookie } from '#src/request/cookies'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { AgeGate } from '#src/ui/age-gate'
import { urls } from '#src/urls'

const ageCookieSeconds = 365 * 24 * 3_600
const confirmed = 'confirmed'
const noCookies = 'Your browser blocks cookies for this site; your answer is kept in one.'

/** Responds with the age gate in place of a page. Null for browsers that have passed it, and for known crawlers. */
export function ageGate(context: RequestContext): Promise<Response> | null {
  if (hasPassed(context)) return null
  const { pathname, search } = new URL(context.request.url)
  return gatePage(context, pathname + search)
}

/**
 * Whether the browser has passed the gate: by self-declaration if that is enough, otherwise by a provider's check that
 * has not expired.
 */
function hasPassed(context: RequestContext): boolean {
  const { ageGate: gate } = context.services.env
  if (gate === 'off' || isCrawler(context.request)) return true
  const value = readSignedCookie(context, cookieNames.age)
  if (value === null) return false
  if (gate === 'confirm') return true
  const [, until] = value.split('~')
  return Number(until) * 1_000 > Date.now()
}

async function gatePage(context: RequestContext, next: string, error?: string): Promise<Response> {
  const { services } = context
  const { ageGate: gate } = services.env
  const viewer = await context.viewer()
  const { siteName } = viewer
  return renderPage(context, {
    meta: { title: 'For adults', description: `${siteName} is for adults.` },
    frame: 'bare',
    body: (
      <AgeGate
        siteName={siteName}
        next={next}
        action={urls.ageConfirm()}
        leaveHref={urls.leave()}
        provider={gate === 'confirm' ? undefined : URL.parse(gate)?.hostname}
        error={error}
      />
    ),
  })
}

const next = t.Optional(t.String({ maxLength: 2_000 }))
const hide = { detail: { hide: true } }

/** The confirmation, the redirect to a provider and its return, and the neutral page for those who leave. */
export function agePages(services: Services) {
  return router()
    .post(
      '/age',
      ({ body, context }) => {
        // If the gate has been turned off meanwhile, its form still leads to the requested page.
        if (services.env.ageGate !== 'confirm' && services.env.ageGate !== 'off')
          throw new AppError(
            'forbidden',
            'Your word alone is not enough here. Open the page again to prove your age.',
          )
        writeSignedCookie(context, cookieNames.age, confirmed, { maxAgeSeconds: ageCookieSeconds })
        return redirect(urls.ageAnswered({ next: safePath(body.next) }))
      },
      { body: t.Object({ next }), ...hide },
    )
    .get(
      // If a browser refuses the cookie, this page says so. The requested page would only show the gate again.
      '/age/answered',
      async ({ query, context }) => {
        const next = safePath(query.next)
        const work = async () => {
          if (!hasPassed(context)) throw new AppError('invalid', noCookies)
          return next
        }
        return rerenderWithError(context, work, ({ message }) => gatePage(context, next, message))
      },
      { query: t.Object({ next }), ...hide },
    )
    .get(
      '/age/check',
      async ({ query, context }) => redirect((await askAgeProvider(context, safePath(query.next))).href),
      { query: t.Object({ next }), ...hide },
    )
    .get(
      '/age/answer',
      async ({ query, context }) => {
        const work = async () => {
          const { method, until, next } = await readAgeAnswer(context, query.answer ?? '')
          const untilSeconds = Math.floor(until.getTime() / 1_000)
          writeSignedCookie(context, cookieNames.age, `${method}~${untilSeconds}`, {
            maxAgeSeconds: untilSeconds - Math.floor(Date.now() / 1_000),
          })
          return safePath(next)
        }
        return rerenderWithError(context, work, ({ message }) => gatePage(context, urls.explore(), message))
      },
      { query: t.Object({ answer: t.Optional(t.String({ maxLength: 8_000 })) }), ...hide },
    )
    .get(
      '/leave',
      () => new Response(neutralPage, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      hide,
    )
}

/** A neutral page without our name, icon or colours. */
const neutralPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Notes</title><link rel="icon" href="data:,"></head><body><h1>Notes</h1><p>Milk, bread, two lemons. Call about the boiler. Library books are due on Friday.</p></body></html>`
