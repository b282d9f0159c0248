import { Lock } from 'lucide-react'
import * as t from 'typebox'
import { memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { answerOf } from '#src/http/errors'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { safePath } from '#src/http/safe-path'
import type { Parts } from '#src/parts'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { open } from './open-cookie'
import { removePin, requirePin, setPin } from './pin'
import { PinField } from './pin-field'

/** Pages that a locked session may see: the other way in, and what is asked about the law. */
const openPaths = ['/sign-in', '/register']

/** The PIN in place of every page; null for whoever is not behind one. Nothing of the page is in it. */
export function pinGate(parts: Parts, request: Request, context: RequestContext): Promise<Response> | null {
  const { pathname, search } = new URL(request.url)
  if (!context.caller.locked || openPaths.includes(pathname)) return null
  return pinPage(parts, request, context, pathname + search)
}

async function pinPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  next: string,
  refused?: { message: string; status: number },
): Promise<Response> {
  return renderPage(parts, request, await viewerOf(parts, context), {
    status: refused?.status,
    frame: 'bare',
    meta: { title: 'Enter your PIN', isIndexed: false },
    body: <PinDoor next={next} error={refused?.message} />,
  })
}

function PinDoor({ next, error }: { next: string; error?: string }) {
  return (
    <main className="pin-door" id="main">
      <section className="dialog dialog-centre dialog-narrow" aria-labelledby="pin-title">
        <Icon of={Lock} />
        <div className="dialog-head">
          <h1 className="title-lg" id="pin-title">
            Enter your PIN
          </h1>
        </div>
        <form className="stack" action={urls.unlock()} method="post" data-hard="">
          <input type="hidden" name="next" value={next} />
          <PinField label="PIN" error={error} autoFocus />
          <Button kind="primary" isBlock type="submit">
            Open
          </Button>
          <div className="btn-row">
            <a className="link" href={urls.signIn({ next })} data-hard="">
              Sign in with your password instead
            </a>
            <a className="link" href={urls.leave()} data-leave="" data-hard="">
              Leave
            </a>
          </div>
        </form>
      </section>
    </main>
  )
}

const hide = { detail: { hide: true } }
const pin = t.String({ maxLength: 20 })

/** Entering a PIN, and choosing one. */
export function pinPages(parts: Parts) {
  const { db, log } = parts
  return router()
    .post(
      '/unlock',
      async ({ request, context, body }) => {
        const { locked, sid } = context.caller
        const next = safePath(body.next)
        if (!locked || !sid) return redirect(next)
        try {
          await requirePin(db, locked.id, body.pin)
        } catch (error) {
          const { status, message } = answerOf(error, log, context.id)
          if (status >= 500) throw error
          return pinPage(parts, request, context, next, { status, message })
        }
        open(parts, context, sid)
        return redirect(next)
      },
      { body: t.Object({ pin, next: t.Optional(t.String({ maxLength: 2_000 })) }), ...hide },
    )
    .post(
      '/settings/pin',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        if (body.pin === undefined) await removePin(db, id)
        else await setPin(db, id, body.pin)
        if (body.pin !== undefined && caller.sid) open(parts, context, caller.sid)
        return redirect(
          `${urls.settings({ said: body.pin === undefined ? 'unpinned' : 'pinned' })}#discretion`,
        )
      },
      { body: t.Object({ pin: t.Optional(pin), remove: t.Optional(t.Literal('yes')) }), ...hide },
    )
}
