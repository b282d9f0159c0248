import { and, desc, eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrations, stories } from '#db/schema'
import { endHolds } from '#src/guideline/holds'
import { isCurrentNarration, makeCurrent, measureNarration } from '#src/story/current-narrations'
import { derivedColumns } from '#src/story/derived-columns'
import type { Voice } from '#src/story/rules'
import { audioFieldOf } from './item-state'
import type { StoredSnapshot } from './snapshot'
import type { UndoItem } from './undo-plan'
import { type UndoField, undoFields } from './undo-rules'

/** The fields that a batch wrote, by its columns and the voices of its audio. Without recorded columns, all fields. */
export function fieldsWritten(changed: readonly string[] | null, spoken: readonly Voice[]): UndoField[] {
  const audio = spoken.map((voice) => audioFieldOf[voice])
  const names = new Set(changed?.map((column) => (column === 'heldFrom' ? 'status' : column)))
  return undoFields.filter((field) =>
    field === 'audioFemale' || field === 'audioMale' ? audio.includes(field) : !changed || names.has(field),
  )
}

/** Restores some fields of an item to their values before an import. */
export async function restoreFields(
  tx: Executor,
  { id, back, staysHeld }: Pick<UndoItem, 'id' | 'back' | 'staysHeld'>,
  before: StoredSnapshot,
): Promise<void> {
  const columns = Object.fromEntries(back.flatMap((field) => columnsOf(field, before, { staysHeld })))
  const { status } = columns
  if (status !== undefined && status !== 'held')
    await endHolds(tx, id, { actor: 'nocturne', source: 'import' })
  if (Object.keys(columns).length > 0) {
    // The excerpt is restored separately.
    const derived = derivedColumns(columns)
    await tx
      .update(stories)
      .set({ ...columns, ...derived })
      .where(eq(stories.id, id))
  }
  const isBack = { female: back.includes('audioFemale'), male: back.includes('audioMale') }
  if (isBack.female) await restoreNarration(tx, id, 'female', before.audio.female)
  if (isBack.male) await restoreNarration(tx, id, 'male', before.audio.male)
  if (isBack.female || isBack.male) await measureNarration(tx, id)
}

function columnsOf(
  field: UndoField,
  before: StoredSnapshot,
  { staysHeld }: Pick<UndoItem, 'staysHeld'>,
): [string, unknown][] {
  if (field === 'audioFemale' || field === 'audioMale') return []
  if (field === 'publishedAt')
    return before.publishedAt === undefined ? [] : [[field, new Date(before.publishedAt)]]
  if (field !== 'status') return before[field] === undefined ? [] : [[field, before[field]]]
  if (!before.status) return []
  const { status, heldFrom = null } = before
  return Object.entries(staysHeld && status !== 'held' ? { heldFrom: status } : { status, heldFrom })
}

/**
 * Makes the earlier narration current again. Narrations are retained: the import's own stays beside it, not current.
 */
async function restoreNarration(
  tx: Executor,
  storyId: string,
  voice: Voice,
  hash: string | undefined,
): Promise<void> {
  if (hash === undefined) {
    await tx.update(narrations).set({ isCurrent: false }).where(isCurrentNarration(storyId, voice))
    return
  }
  const [earlier] = await tx
    .select({ id: narrations.id })
    .from(narrations)
    .where(and(eq(narrations.storyId, storyId), eq(narrations.voice, voice), eq(narrations.audioHash, hash)))
    .orderBy(desc(narrations.createdAt))
    .limit(1)
  if (earlier) await makeCurrent(tx, { ...earlier, storyId, voice })
}
