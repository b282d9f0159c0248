import * as t from 'typebox'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import { memberOf } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { renderPage, rerenderWithError } from '#src/request/render'
import { router } from '#src/request/router'
import { Unsent, UnsentInput, unsentPage } from '#src/request/unsent-form'
import type { Services } from '#src/services'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { removePin, setPin } from './pin'
import { PinForm, pinTitle } from './pin-form'
import { typedPin } from './typed-pin'
import { unlock } from './unlock'
import { setUnlockCookie } from './unlock-cookie'

/** Pages that a locked session may see: the sign-in with the password. */
const openPaths = ['/sign-in', '/register']

/** Shows the PIN form instead of any other page, without any of its content. Null if no PIN is needed. */
export function pinGate(context: RequestContext): Promise<Response> | null {
  const { pathname, search } = new URL(context.request.url)
  if (!context.caller.locked || openPaths.includes(pathname)) return null
  return pinPage(context, { next: pathname + search })
}

/** The page with the form that unlocks a session. `unsent` is a form that is submitted afterwards. */
export async function pinPage(
  context: RequestContext,
  { next, unsent, error }: { next: string; unsent?: string; error?: string },
): Promise<Response> {
  return renderPage(context, {
    frame: 'bare',
    meta: { title: pinTitle, isIndexed: false },
    body: (
      <main className="pin-page" id="main">
        <section className="dialog dialog-centre dialog-narrow" aria-labelledby="pin-title">
          <Icon name="i-lucide-lock" />
          <div className="dialog-head">
            <h1 className="title-lg" id="pin-title">
              {pinTitle}
            </h1>
          </div>
          <PinForm next={next} unsentInput={<UnsentInput unsent={unsent} />} error={error} />
        </section>
      </main>
    ),
  })
}

const hide = { detail: { hide: true } }

/** Routes of the forms that enter a PIN and choose one. */
export function pinPages(services: Services) {
  const { db } = services
  return router()
    .post(
      '/unlock',
      async ({ context, body }) => {
        const { pin, unsent } = body
        const next = safePath(body.next)
        const goOn = async () => {
          await unlock(context, pin)
          return (await unsentPage(context, unsent, next)) ?? next
        }
        return rerenderWithError(context, goOn, ({ message: error }) =>
          pinPage(context, { next, unsent, error }),
        )
      },
      {
        body: t.Object({ pin: typedPin, next: t.Optional(t.String({ maxLength: 2_000 })), unsent: Unsent }),
        ...hide,
      },
    )
    .post(
      '/settings/pin',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        if (body.pin === undefined) await removePin(db, id)
        else await setPin(db, id, body.pin)
        if (body.pin !== undefined && caller.sid) setUnlockCookie(context, caller.sid)
        return redirect(
          `${urls.settings({ said: body.pin === undefined ? 'unpinned' : 'pinned' })}#discretion`,
        )
      },
      { body: t.Object({ pin: t.Optional(typedPin), remove: t.Optional(t.Literal('yes')) }), ...hide },
    )
}
