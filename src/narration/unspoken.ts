import { and, eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrations, narrationTimings, scripts } from '#db/schema'
import { changedSentences, sentencesOf } from '#src/script/format/changed-sentences'
import { parseScript } from '#src/script/format/parse-script'
import { stripScript } from '#src/script/format/script'
import { sha256 } from '#src/security/keyed-hash'
import type { Voice } from '#src/story/rules'

/** Sentences of an item's present text that a recording does not speak. `total` counts all its sentences. */
export type Unspoken = { voice: Voice; sentences: string[]; total: number }

/**
 * Lists the current recordings of an earlier text, each with the sentences that it does not speak. Recordings whose
 * text is unknown, uploaded without timings, are not listed.
 */
export async function listUnspoken(
  db: Executor,
  { id, content }: { id: string; content: string },
): Promise<Unspoken[]> {
  const spoken = await db
    .select({ voice: narrations.voice, textHash: narrationTimings.textHash, script: scripts.script })
    .from(narrations)
    .innerJoin(narrationTimings, eq(narrationTimings.narrationId, narrations.id))
    .innerJoin(
      scripts,
      and(eq(scripts.storyId, narrations.storyId), eq(scripts.textHash, narrationTimings.textHash)),
    )
    .where(and(eq(narrations.storyId, id), eq(narrations.isCurrent, true)))
    .orderBy(narrations.voice)
  const hash = sha256(content)
  const unspoken: Unspoken[] = []
  for (const { voice, textHash, script } of spoken) {
    const before = textHash === hash ? null : parseScript(script).script
    const sentences = before ? await changedSentences(stripScript(before), content) : []
    if (sentences.length > 0) unspoken.push({ voice, sentences, total: (await sentencesOf(content)).length })
  }
  return unspoken
}
