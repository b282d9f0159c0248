import type { RequestContext } from '#src/request/context'
import { open } from './open-cookie'
import { requirePin } from './pin'

/** Unlocks the session of a request; where none is locked, nothing is done. Throws as `requirePin` does. */
export async function unlock(context: RequestContext, pin: string): Promise<void> {
  const { locked, sid } = context.caller
  if (!locked || !sid) return
  await requirePin(context.services.db, locked.id, pin)
  open(context, sid)
}
