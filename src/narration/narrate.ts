import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import * as t from 'typebox'
import { Value } from 'typebox/value'
import { stories } from '#db/schema'
import type { JobHandler } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { admitText } from '#src/story/admit-text'
import { libraryChanged } from '#src/story/library-changed'
import { voices } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { admitAudio } from './admit-audio'
import { attachAudio } from './attach'
import { runSpeaker } from './built-in/run-speaker'
import { withWorkFolder } from './work-folder'

const Payload = t.Object({ voice: oneOf(voices), narrator: t.String() })

/** What the row of a finished job keeps. */
export type NarrateResult = { durationSeconds: number; lufs: number; sentences: number; hash: string }

/** Speaking is most of the work; checking and storing what was spoken the rest. */
const speakingShare = 0.97

/**
 * Speaks an item in the voice of the job and makes that its current narration. After a crash it is
 * spoken again and takes the place of what was attached before: voices breathe a little differently each time.
 */
export function narrateHandler({ db, storage, env }: Pick<Parts, 'db' | 'storage' | 'env'>): JobHandler {
  return async (job, { signal, progress }): Promise<NarrateResult> => {
    const { voice, narrator } = Value.Decode(Payload, job.payload)
    const story = job.storyId === null ? null : await findText(db, job.storyId)
    if (!story) throw new Refusal('not_found', 'The item is gone, or was removed.')
    // What was admitted once may not be any more: the guidelines are asked again before it is spoken.
    const { content, title } = await admitText(db, story, {
      actor: 'nocturne',
      role: 'operator',
      door: 'narrate',
    })
    return withWorkFolder(env.dataDir, async (folder) => {
      const path = join(folder, 'narration.mp3')
      const { peaks, ...spoken } = await runSpeaker(
        { text: content, title, narrator, pace: story.type, path },
        { signal, progress: (share) => progress(share * speakingShare) },
      )
      const { warnings, ...file } = await admitAudio(storage, await storage.receive(path), 'narration.mp3')
      signal.throwIfAborted()
      await attachAudio(db, {
        storyId: story.id,
        voice,
        narrator,
        provider: 'built-in',
        file: { ...file, peaks },
      })
      await libraryChanged(db)
      return { ...spoken, durationSeconds: file.durationSeconds, hash: file.hash }
    })
  }
}

async function findText(db: Parts['db'], storyId: string) {
  const [story] = await db
    .select({
      id: stories.id,
      type: stories.type,
      status: stories.status,
      title: stories.title,
      content: stories.content,
      categories: stories.categories,
    })
    .from(stories)
    .where(eq(stories.id, storyId))
  return story && story.status !== 'removed' ? story : null
}
