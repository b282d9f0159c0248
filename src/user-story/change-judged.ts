import type { Database, Transaction } from '#db/db'
import { AppError } from '#src/app-error'
import { lockUserStory, type OwnItem, requireUserStory } from './find-own'

/**
 * Changes a member's own item after judging its text, which may take seconds. `write` runs with the item locked and in
 * the state that was judged. If it was changed, shared or held meanwhile, it is judged again. Throws `not_found`,
 * `conflict` if it keeps changing, and what `judge` and `write` throw.
 */
export async function changeJudged<Judged, Result>(
  db: Database,
  memberId: string,
  id: string,
  change: {
    judge(item: OwnItem): Promise<Judged>
    write(tx: Transaction, item: OwnItem, judged: Judged): Promise<Result>
  },
): Promise<Result> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const item = await requireUserStory(db, memberId, id)
    const judged = await change.judge(item)
    const done = await db.transaction(async (tx) => {
      const isSame = Bun.deepEquals(await lockUserStory(tx, memberId, id), item)
      return isSame ? { result: await change.write(tx, item, judged) } : null
    })
    if (done) return done.result
  }
  throw new AppError('conflict', 'This changed in between. Please try again.')
}

const triesMax = 3
