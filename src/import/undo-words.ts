import { fieldWords } from '#src/story/fields'
import { pluralize } from '#src/text/pluralize'
import type { UndoAnswer } from './undo-schema'

/** Sentences about an undo for console, CLI and API. Browser-safe. */

type Counts = Pick<UndoAnswer, 'removed' | 'restored' | 'kept' | 'gone' | 'editedSince'>

/** `asked` and `planned` before an undo, in a question and in a preview; `done` after it. */
type Tense = 'asked' | 'planned' | 'done'

/** "Undone. 2 items went into the bin, 1 went back to what it was." */
export function undoMessage(counts: Counts, tense: Tense): string {
  const verb = (present: string, planned: string, done: string) =>
    tense === 'asked' ? present : tense === 'planned' ? planned : done
  const { removed, restored, kept, gone } = counts
  const parts = [
    removed > 0 &&
      `${pluralize(removed, 'item')} ${verb(removed === 1 ? 'goes' : 'go', 'would go', 'went')} into the bin`,
    restored > 0 &&
      `${pluralize(restored, 'item')} ${verb(restored === 1 ? 'goes' : 'go', 'would go', 'went')} back to what ${restored === 1 ? 'it was' : 'they were'}`,
    kept > 0 &&
      `${pluralize(kept, 'item')} ${verb(kept === 1 ? 'stays' : 'stay', 'would stay', 'stayed')} as ${kept === 1 ? 'it is' : 'they are'}`,
    gone > 0 && `${pluralize(gone, 'item')} ${gone === 1 ? 'is' : 'are'} gone already`,
  ].filter(Boolean)
  const what = parts.length > 0 ? `${parts.join(', ')}.` : 'There is nothing to take back.'
  const since = counts.editedSince > 0 && tense !== 'asked' ? ` Edited since: ${counts.editedSince}.` : ''
  return `${verb('', 'Nothing was changed. ', 'Undone. ')}${what}${since}`
}

type Item = UndoAnswer['items'][number]

/** "Stays as it is. Edited since: the text, the tags. 3 members have saved it." */
export function undoItemWords({ verdict, editedFields, savedBy, listeners }: Item): string {
  const names = new Set(editedFields.map((field) => editedNames[field] ?? fieldWords(field)))
  return [
    `${verdictWords[verdict]}.`,
    names.size > 0 && `Edited since: ${[...names].join(', ')}.`,
    savedBy > 0 && `${pluralize(savedBy, 'member has', 'members have')} saved it.`,
    listeners > 0 && `${pluralize(listeners, 'listener is', 'listeners are')} in the middle of it.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const verdictWords: Record<Item['verdict'], string> = {
  remove: 'Into the bin',
  restore: 'Back to what it was',
  keep: 'Stays as it is',
  gone: 'Gone already',
}

const editedNames: Record<string, string> = {
  audioFemale: 'the female narration',
  audioMale: 'the male narration',
  timingsFemale: 'the timings of the female narration',
  timingsMale: 'the timings of the male narration',
  unknown: 'something that was not written down',
}
