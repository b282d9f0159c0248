import { canAsk, confirm } from '#cli/confirm'
import { isPassedTime } from '#src/story/read-draft'

export const nowFlag = {
  yes: { type: 'boolean', description: 'Publish at once if the time has passed', default: false },
} as const

/** A time for examples. It is in the future, because one in the past would not work. */
export const exampleTime = `${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}T20:00:00Z`

/**
 * Schedules an item. If the time has passed, asks whether to publish the item now. Throws `invalid` if the answer is
 * no, or if there is no terminal to ask on.
 */
export async function scheduleOrPublish(
  { yes }: { yes: boolean },
  schedule: () => Promise<void>,
  publishNow: () => Promise<void>,
): Promise<void> {
  try {
    await schedule()
  } catch (error) {
    if (!isPassedTime(error)) throw error
    const isWanted = yes || (canAsk() && (await confirm('That time has passed. Publish it now?')))
    if (!isWanted) throw error
    await publishNow()
  }
}
