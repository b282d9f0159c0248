import type { RequestContext } from '#src/request/context'
import { requirePin } from './pin'
import { setUnlockCookie } from './unlock-cookie'

/** Unlocks the session of a request; does nothing if it is not locked. Throws what `requirePin` throws. */
export async function unlock(context: RequestContext, pin: string): Promise<void> {
  const { locked, sid } = context.caller
  if (!locked || !sid) return
  await requirePin(context.services.db, locked.id, pin)
  setUnlockCookie(context, sid)
}
