import * as t from 'typebox'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import { memberOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { open } from './open-cookie'
import { removePin, requirePin, setPin } from './pin'
import { PinField } from './pin-field'

/** Pages that a locked session may see: signing in with the password, and legal pages. */
const openPaths = ['/sign-in', '/register']

/** The PIN form in place of every page; null where no PIN is needed. It contains nothing of the page. */
export function pinGate(context: RequestContext): Promise<Response> | null {
  const { pathname, search } = new URL(context.request.url)
  if (!context.caller.locked || openPaths.includes(pathname)) return null
  return pinPage(context, pathname + search)
}

async function pinPage(context: RequestContext, next: string, error?: string): Promise<Response> {
  return renderPage(context, {
    frame: 'bare',
    meta: { title: 'Enter your PIN', isIndexed: false },
    body: <PinFrame next={next} error={error} />,
  })
}

function PinFrame({ next, error }: { next: string; error?: string }) {
  return (
    <main className="pin-page" id="main">
      <section className="dialog dialog-centre dialog-narrow" aria-labelledby="pin-title">
        <Icon name="i-lucide-lock" />
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
export function pinPages(services: Services) {
  const { db } = services
  return router()
    .post(
      '/unlock',
      async ({ context, body }) => {
        const { locked, sid } = context.caller
        const next = safePath(body.next)
        if (!locked || !sid) return redirect(next)
        const unlock = async () => {
          await requirePin(db, locked.id, body.pin)
          open(context, sid)
          return next
        }
        return rerenderWithError(context, unlock, ({ message }) => pinPage(context, next, message))
      },
      { body: t.Object({ pin, next: t.Optional(t.String({ maxLength: 2_000 })) }), ...hide },
    )
    .post(
      '/settings/pin',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        if (body.pin === undefined) await removePin(db, id)
        else await setPin(db, id, body.pin)
        if (body.pin !== undefined && caller.sid) open(context, caller.sid)
        return redirect(
          `${urls.settings({ said: body.pin === undefined ? 'unpinned' : 'pinned' })}#discretion`,
        )
      },
      { body: t.Object({ pin: t.Optional(pin), remove: t.Optional(t.Literal('yes')) }), ...hide },
    )
}
