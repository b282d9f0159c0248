import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { audioFiles, narrations, stories } from '#db/schema'
import type { Operator } from '#src/http/caller'
import type { Member } from '#src/member/session'
import { Refusal } from '#src/refusal'
import { isId, type Voice, voices } from '#src/story/rules'
import type { AudioFile } from './storage'

/**
 * The audio of an item in one voice, for someone who may hear it. Members hear what is published and what
 * they made or others share; visitors hear free samples; operators hear everything. Throws
 * `sign_up_to_listen` for a visitor, whether or not there is such a narration, and `not_found`.
 */
export async function audioFor(
  db: Executor,
  caller: Listener,
  storyId: string,
  voice: string,
): Promise<AudioFile> {
  if (!isVoice(voice)) throw missing()
  const item = isId(storyId) ? await findItem(db, storyId, voice) : null
  const isVisitor = !caller.member && !caller.operator
  if (isVisitor && !(item?.isFree && item.status === 'published' && item.source === 'pre_uploaded')) {
    throw new Refusal('sign_up_to_listen', 'Sign up to listen. It is free.')
  }
  if (!item?.hash || !item.extension || !mayHear(caller, item)) throw missing()
  return { hash: item.hash, extension: item.extension }
}

/** Who asks: a member, an operator, both or neither. */
type Listener = { member: Pick<Member, 'id'> | null; operator: Operator | null }

type Item = {
  status: string
  source: string
  isFree: boolean
  isShared: boolean
  userId: string | null
}

function mayHear({ member, operator }: Listener, item: Item): boolean {
  if (operator) return true
  if (item.source === 'pre_uploaded') return item.status === 'published'
  if (item.status === 'removed') return false
  return item.userId === member?.id || (item.isShared && item.status === 'published')
}

async function findItem(db: Executor, storyId: string, voice: Voice) {
  const [item] = await itemQuery(db).execute({ storyId, voice })
  return item ?? null
}

const itemQuery = prepareOnce((db) =>
  db
    .select({
      status: stories.status,
      source: stories.source,
      isFree: stories.isFree,
      isShared: stories.isShared,
      userId: stories.userId,
      hash: audioFiles.hash,
      extension: audioFiles.extension,
    })
    .from(stories)
    .leftJoin(
      narrations,
      and(
        eq(narrations.storyId, stories.id),
        eq(narrations.voice, sql.placeholder('voice')),
        eq(narrations.isCurrent, true),
      ),
    )
    .leftJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(eq(stories.id, sql.placeholder('storyId')))
    .prepare('audio'),
)

function isVoice(voice: string): voice is Voice {
  return voices.some((each) => each === voice)
}

function missing(): Refusal {
  return new Refusal('not_found', 'There is no such narration.')
}
