import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { audioFiles, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { type Caller, requireUnlocked } from '#src/request/caller'
import type { Member } from '#src/session/schema'
import { isId } from '#src/shape/id'
import type { AudioFile } from '#src/storage/audio-file'
import { type Voice, voices } from '#src/story/rules'

/**
 * Returns the audio of an item in one voice, for a caller who may hear it. Throws like `findAudioFor`, and `not_found`
 * if there is no audio.
 */
export async function audioFor(
  db: Executor,
  caller: AudioCaller,
  storyId: string,
  voice: string,
): Promise<AudioFile> {
  const audio = await findAudioFor(db, caller, storyId, voice)
  if (!audio) throw missingAudio()
  return audio
}

/**
 * Returns the audio of an item in one voice, or null if there is none. Members may hear published items and items that
 * they created or that others share; visitors may hear free samples; operators may hear everything. Throws
 * `sign_up_to_listen` for a visitor (`locked` for a member behind a PIN), whether or not there is such a narration, and
 * `not_found` for an item that the caller may not hear.
 */
export async function findAudioFor(
  db: Executor,
  caller: AudioCaller,
  storyId: string,
  voice: string,
): Promise<AudioFile | null> {
  if (!isVoice(voice)) throw missingAudio()
  const item = isId(storyId) ? await findItem(db, storyId, voice) : null
  if (isVisitor(caller) && !(item?.isFree && isInLibrary(item))) throw signUpToListen(caller)
  if (!item || !mayHear(caller, item)) throw missingAudio()
  return item.hash && item.extension ? { hash: item.hash, extension: item.extension } : null
}

/**
 * Returns the audio of a published item, whose beginning everybody may hear while the operator has previews turned on.
 * Throws `not_found` if there is none. While previews are off, throws `sign_up_to_listen` for a visitor.
 */
export async function audioForPreview(
  db: Executor,
  caller: AudioCaller,
  { storyId, voice, previewSeconds }: { storyId: string; voice: string; previewSeconds: number },
): Promise<AudioFile> {
  if (previewSeconds === 0) throw isVisitor(caller) ? signUpToListen(caller) : missingAudio()
  const item = isVoice(voice) && isId(storyId) ? await findItem(db, storyId, voice) : null
  if (!item?.hash || !item.extension || !isInLibrary(item)) throw missingAudio()
  return { hash: item.hash, extension: item.extension }
}

/** The caller: a member, an operator, both or neither. */
export type AudioCaller = Pick<Caller, 'operator' | 'locked'> & { member: Pick<Member, 'id'> | null }

type Item = {
  status: string
  source: string
  isFree: boolean
  isShared: boolean
  userId: string | null
}

const isVisitor = ({ member, operator }: AudioCaller) => !member && !operator
const isInLibrary = ({ status, source }: Item) => status === 'published' && source === 'pre_uploaded'

function signUpToListen(caller: AudioCaller): AppError {
  requireUnlocked(caller)
  return new AppError('sign_up_to_listen', 'Sign up to listen. It is free.')
}

function mayHear({ member, operator }: AudioCaller, item: Item): boolean {
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

export function missingAudio(): AppError {
  return new AppError('not_found', 'There is no such narration.')
}
