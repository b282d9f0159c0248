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
const noCookies = 'Your browser keeps no cookies for this site; the answer needs one.'

/** The age gate in place of a page; null for browsers that have passed it, and for known crawlers. */
export function ageGate(context: RequestContext): Promise<Response> | null {
  if (hasPassed(context)) return null
  const { pathname, search } = new URL(context.request.url)
  return gatePage(context, pathname + search)
}

/** By self-declaration where that is enough; else by a provider's check that has not expired. */
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

/** The confirmation, the way to a provider and back, and the neutral page for those who leave. */
export function agePages(services: Services) {
  return router()
    .post(
      '/age',
      ({ body, context }) => {
        // Where the gate was turned off meanwhile, its page redirects to the requested one.
        if (services.env.ageGate !== 'confirm' && services.env.ageGate !== 'off')
          throw new AppError(
            'forbidden',
            'One’s own word is not enough here. Open the page again to be checked.',
          )
        writeSignedCookie(context, cookieNames.age, confirmed, { maxAgeSeconds: ageCookieSeconds })
        return redirect(urls.ageAnswered({ next: safePath(body.next) }))
      },
      { body: t.Object({ next }), ...hide },
    )
    .get(
      // The requested page alone would show the gate again, without a word, to a browser that refuses the cookie.
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

/** A neutral page: no name, no icon, no colour of ours. */
const neutralPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Notes</title><link rel="icon" href="data:,"></head><body><h1>Notes</h1><p>Milk, bread, two lemons. Call about the boiler. Library books are due on Friday.</p></body></html>`
