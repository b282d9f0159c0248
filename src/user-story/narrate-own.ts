import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { jobs, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { isHeldForItsText } from '#src/guideline/holds'
import { moderateText } from '#src/guideline/moderation-gate'
import { cancelJob } from '#src/job/cancel-retry'
import { isOwnedBy } from '#src/job/queries'
import { priorities } from '#src/job/rules'
import { enqueueNarration, narrateKind } from '#src/narration/enqueue'
import { actorOf } from '#src/personal-data/existing-member'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { derivedColumns } from '#src/story/derived-columns'
import { readNarratedVoice } from '#src/story/voice'
import { changeJudged } from './change-judged'
import { queueNarration } from './create'
import { isOwn, requireUserStory } from './find-own'
import { requireLength } from './limits'
import type { OwnJob } from './schema'
import { senderOf } from './sender'

/**
 * Queues a narration of an own item, with another narrator if one is given. Retrying a failed narration does not count
 * for the day. Throws `not_found`, `conflict` while one is in progress or the item is held, `throttled`.
 */
export async function narrateOwn(
  { db, env }: Pick<Services, 'db' | 'env'>,
  memberId: string,
  id: string,
  named?: string,
): Promise<OwnJob> {
  const change =
    named === undefined ? null : { narratorFemale: null, narratorMale: null, ...readNarratedVoice(named) }
  await changeJudged(db, memberId, id, {
    judge: async (item) => {
      requireLength(env, item.content)
      await moderateText(db, item, senderOf(memberId, 'narrate'))
    },
    write: async (tx, item) => {
      if (await isHeldForItsText(tx, item))
        throw new AppError(
          'conflict',
          'An operator reviews this first. It can be narrated once that is done.',
        )
      // One at a time, so that two presses at once start one narration.
      const last = await lastJob(tx, memberId, id)
      if (last?.state === 'queued' || last?.state === 'running')
        throw new AppError('conflict', 'This is being narrated already.')
      if (change)
        await tx
          .update(stories)
          .set({ ...change, ...derivedColumns(change) })
          .where(isOwn(memberId, id))
      const voice = change?.voice ?? item.voice
      if (last?.state === 'failed') await enqueueNarration(tx, id, voice, { priority: priorities.person })
      else await queueNarration(tx, env, memberId, { id, voice })
    },
  })
  const job = await findOwnJob(db, memberId, id)
  if (!job) throw new AppError('invalid', 'There are no words to narrate in this text.')
  return job
}

/** Cancels the narration of an own item. Throws `not_found`, and `conflict` if none is in progress. */
export async function cancelOwn({ db }: Pick<Services, 'db'>, memberId: string, id: string): Promise<void> {
  await requireUserStory(db, memberId, id)
  const [job] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(ofItem(memberId, id), inArray(jobs.state, ['queued', 'running'])))
    .limit(1)
  if (!job) throw new AppError('conflict', 'Nothing of this is being narrated.')
  await cancelJob(db, job.id, actorOf(memberId), { ownerId: memberId })
}

/** Finds the last narration job of an own item, in words for its author; null if there was none. */
export async function findOwnJob(db: Executor, memberId: string, id: string): Promise<OwnJob | null> {
  await requireUserStory(db, memberId, id)
  const job = await lastJob(db, memberId, id)
  return (
    job && {
      id: job.id,
      state: job.state,
      progress: job.progress,
      error: job.state === 'failed' ? failureWords : null,
      createdAt: job.createdAt.toISOString(),
      finishedAt: job.finishedAt?.toISOString() ?? null,
    }
  )
}

/** The details of a failure are only for operators: keys, addresses, rules. */
const failureWords = 'This could not be narrated. Your text is safe, and trying again is free.'

async function lastJob(db: Executor, memberId: string, id: string) {
  const [job] = await db.select().from(jobs).where(ofItem(memberId, id)).orderBy(desc(jobs.id)).limit(1)
  return job ?? null
}

function ofItem(memberId: string, id: string) {
  return and(eq(jobs.kind, narrateKind), isId(id) ? eq(jobs.storyId, id) : undefined, isOwnedBy(memberId))
}
