import type { JobHandler } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'

/** Speaks an item. */
export function narrateHandler(_parts: Parts): JobHandler {
  return async () => {
    throw new Refusal('not_configured', 'The built-in voice is not here yet.')
  }
}
