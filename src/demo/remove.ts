import { sql } from 'drizzle-orm'
import { nextUpdatedAt } from '#db/columns'
import type { Database, Transaction } from '#db/db'
import { AppError } from '#src/app-error'
import { priorities } from '#src/job/rules'
import { lockTitles, twinOf } from '#src/library/remove'
import { enqueueNarration } from '#src/narration/enqueue'
import { listMissing } from '#src/narration/narrate-missing'
import { type ChangedItem, recordChange } from '#src/operator/audit'
import { holdForbidden } from '#src/review/hold-forbidden'
import { libraryChanged } from '#src/story/library-changed'
import { describeDemo, isGoing, isTakenAway, listDemoItems, uneditedDemoChallengeIds } from './plan'
import type { DemoState } from './schema'

/**
 * Removes the demo library. Its items are removed like any item: their rows, and what members did with them, stay until
 * they are restored. Its challenges are unpublished, and queued narrations are cancelled. Items that operators have
 * made their own stay. Throws `conflict` if nothing is left to remove.
 */
export async function removeDemo(db: Database, by: string): Promise<DemoState> {
  const state = await db.transaction(async (tx) => {
    await tx.execute(
      sql`select 1 from stories join demo_items on story_id = id order by id for update of stories`,
    )
    const going = (await listDemoItems(tx)).filter(isGoing)
    if (going.length === 0) throw new AppError('conflict', 'There is no demo library to remove.')
    const ids = toArray(going.map(({ id }) => id))
    await tx.execute(sql`
      update demo_items set taken_from = status from stories where id = story_id and id = any(${ids}::uuid[])`)
    await tx.execute(sql`
      update stories set status = 'removed', removed_from = status, is_generating = false, updated_at = ${nextUpdatedAt}
      where id = any(${ids}::uuid[])`)
    await tx.execute(sql`
      update jobs set state = 'cancelled', finished_at = now() where story_id = any(${ids}::uuid[]) and state = 'queued'`)
    await tx.execute(sql`
      with hidden as (
        update challenges set published_at = null, updated_at = ${nextUpdatedAt} where published_at is not null and id in (${uneditedDemoChallengeIds})
        returning id, (select published_at from challenges as before where before.id = challenges.id) as published_at)
      update demo_challenges set published_before = hidden.published_at from hidden where challenge_id = hidden.id`)
    await record(tx, by, 'remove', going)
    return describeDemo(tx)
  })
  await libraryChanged(db)
  return state
}

/**
 * Restores what `removeDemo` removed, and queues the narrations that are missing. An item that the guidelines now
 * forbid is held. An item whose title has entered the library since stays removed until the other one is gone. Throws
 * `conflict` if nothing was removed, and `already_exists` if the titles of all have entered the library.
 */
export async function restoreDemo(db: Database, by: string): Promise<DemoState> {
  const state = await db.transaction(async (tx) => {
    await lockTitles(tx)
    const { takenAway } = await describeDemo(tx)
    if (takenAway === 0) throw new AppError('conflict', 'The demo library was not removed.')
    const back = await tx.execute<{ id: string; title: string }>(sql`
      update stories set status = taken_from, updated_at = ${nextUpdatedAt} from demo_items
      where story_id = id and ${isTakenAway} and not exists (${twinOf})
      returning id, title`)
    if (back.length === 0)
      throw new AppError(
        'already_exists',
        'The library has each of these titles again. Rename or remove those, then bring the demo back.',
      )
    await tx.execute(sql`
      update challenges set published_at = published_before, updated_at = ${nextUpdatedAt} from demo_challenges
      where challenge_id = id and published_before is not null and published_at is null`)
    await tx.execute(sql`
      update demo_items set taken_from = null from stories where id = story_id and status <> 'removed'`)
    await tx.execute(sql`update demo_challenges set published_before = null`)
    const ids = back.map(({ id }) => id)
    await record(tx, by, 'restore', back)
    await holdForbidden(tx, ids, by)
    for (const { id, voice } of await listMissing(tx))
      if (ids.includes(id)) await enqueueNarration(tx, id, voice, { priority: priorities.background })
    return describeDemo(tx)
  })
  await libraryChanged(db)
  return state
}

function record(
  tx: Transaction,
  by: string,
  action: 'remove' | 'restore',
  items: readonly { id: string; title: string }[],
): Promise<string> {
  const verdict = action === 'remove' ? 'removed' : 'restored'
  return recordChange(tx, by, {
    action,
    subjectType: 'demo',
    items: items.map(({ id, title }): ChangedItem => ({ id, title, verdict, fields: [] })),
  })
}

/** Ids as the text of an array, which is one parameter however many there are. */
function toArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}
