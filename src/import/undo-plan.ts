import { sha256 } from '#src/security/keyed-hash'
import { audioFieldOf, bare, type ItemState } from './item-state'
import { isJudged } from './rules'
import {
  type EditedChoice,
  type FieldValue,
  type UndoField,
  type UndoVerdict,
  undoFields,
  type Written,
} from './undo-rules'

/** A batch's changes to one item, without the earlier texts. */
export type UndoChange = {
  storyId: string
  action: 'created' | 'updated' | 'audio'
  title: string
  /** Null for a batch from before November 2026. */
  after: Written | null
  /** The fields that the batch wrote. */
  wrote: readonly UndoField[]
}

export type UndoItem = {
  id: string
  title: string
  verdict: UndoVerdict
  /**
   * The parts edited since the import: a field, `script`, `timingsFemale`, `timingsMale`, or `unknown` if it is not
   * recorded.
   */
  editedFields: readonly string[]
  /** The fields that are restored. */
  back: readonly UndoField[]
  /** A guideline holds the present text: the item stays held, whatever fields are restored. */
  staysHeld: boolean
}

export type UndoPlan = {
  items: UndoItem[]
  counts: Record<UndoVerdict, number> & { edited: number }
  /** Identifies a plan, so that an operator applies exactly the one that was shown. */
  fingerprint: string
}

/**
 * Computes the effect of undoing a batch, item by item. Pure. `states` holds the present items; `unwritten` holds the
 * later edits of items whose batch did not record its values.
 */
export function planUndo(
  changes: readonly UndoChange[],
  states: ReadonlyMap<string, ItemState>,
  edited: EditedChoice,
  unwritten: ReadonlyMap<string, readonly string[]> = new Map(),
): UndoPlan {
  const items = changes.map((change): UndoItem => {
    const { storyId: id, action, after, title } = change
    const state = states.get(id)
    const isRemoved = state?.fields.status === 'removed'
    if (!state || (action === 'created' && isRemoved))
      return {
        id,
        title: state?.title ?? title,
        verdict: 'gone',
        editedFields: [],
        back: [],
        staysHeld: false,
      }
    const editedFields = after ? listEdits(after, state) : (unwritten.get(id) ?? [])
    const about = { id, title: state.title, editedFields, staysHeld: staysHeld(after, state, editedFields) }
    if (action === 'created') {
      const verdict = editedFields.length === 0 || edited === 'remove' ? 'remove' : 'keep'
      return { ...about, verdict, back: [] }
    }
    const back = fieldsBack(change, state, { edited, isEditedSince: editedFields.length > 0 }).filter(
      // An item that an operator has removed since the import stays removed.
      (field) => field !== 'status' || !isRemoved,
    )
    return { ...about, verdict: back.length > 0 ? 'restore' : 'keep', back }
  })
  return { items, counts: countVerdicts(items), fingerprint: fingerprintOf(items) }
}

function fieldsBack(
  { after, wrote }: UndoChange,
  state: ItemState,
  { edited, isEditedSince }: { edited: EditedChoice; isEditedSince: boolean },
): readonly UndoField[] {
  if (edited === 'remove') return wrote
  if (!after) return isEditedSince ? [] : wrote
  const isEditedField = (field: UndoField) => isEdited(field, after[field], state)
  return wrote.filter(
    (field) =>
      !isEditedField(field) &&
      !(
        field === 'excerpt' &&
        wrote.includes('content') &&
        isEditedField('content') &&
        state.isExcerptDerived
      ),
  )
}

/** Whether the item was held after the import, or is held for a text that was edited after it. */
function staysHeld(after: Written | null, { fields }: ItemState, editedFields: readonly string[]): boolean {
  if (!String(fields.status).startsWith('held:')) return false
  const isHeldByImport = String(after?.status ?? '').startsWith('held:')
  return (after !== null && !isHeldByImport) || editedFields.some((field) => isJudged.has(field))
}

function listEdits(after: Written, state: ItemState): string[] {
  return undoFields.flatMap((field) => {
    const written = after[field]
    if (written === undefined || !isEdited(field, written, state)) return []
    return [bare(written) === bare(state.fields[field]) ? (nameOfOver[field] ?? field) : field]
  })
}

/** Names of edits to a script or to timings, used if the text or the recording itself is unchanged. */
const nameOfOver: Partial<Record<UndoField, string>> = {
  content: 'script',
  audioFemale: 'timingsFemale',
  audioMale: 'timingsMale',
}

/** Whether a person's edit made the field differ from the batch's value. */
export function isEdited(field: UndoField, written: FieldValue | undefined, state: ItemState): boolean {
  const now = state.fields[field]
  if (JSON.stringify(now) === JSON.stringify(written)) return false
  if (typeof written !== 'string') return true
  if (field === 'status') return !isAutomaticChange(written, String(now), state)
  if (field === audioFieldOf.female || field === audioFieldOf.male)
    return !isRequestedNarration(written, now, state.narratedBy[field])
  return true
}

/**
 * Whether a status changed without an operator: a scheduled item was published at its time, or a guideline held an
 * accepted item.
 */
function isAutomaticChange(written: string, now: string, { fields }: ItemState): boolean {
  const [status = '', time] = written.split(/:(.*)/)
  const statuses = status === 'scheduled' && fields.publishedAt === time ? [status, 'published'] : [status]
  const isHeld = now.startsWith('held:')
  // Removes the time of a scheduled item, which is a field of its own.
  const [statusNow = ''] = isHeld ? [now.slice('held:'.length)] : now.split(':')
  return statuses.includes(statusNow)
}

/** Whether this is the narration that the import itself requested, finished or pending, without timings from a file. */
function isRequestedNarration(written: string, now: FieldValue, madeBy: string | undefined): boolean {
  if (!written.startsWith('job:')) return false
  return now === null || (written === `job:${madeBy}` && bare(now) === now)
}

function countVerdicts(items: readonly UndoItem[]): UndoPlan['counts'] {
  const counts = { remove: 0, restore: 0, keep: 0, gone: 0, edited: 0 }
  for (const { verdict, editedFields } of items) {
    counts[verdict] += 1
    if (editedFields.length > 0) counts.edited += 1
  }
  return counts
}

function fingerprintOf(items: readonly UndoItem[]): string {
  const rows = items.map(({ id, verdict, editedFields, back }) => [id, verdict, editedFields, back])
  return sha256(JSON.stringify(rows)).slice(0, 32)
}
