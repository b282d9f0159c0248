import type { DraftPlan, ImportOutcome } from '#src/import/draft/schema'
import { pluralize } from '#src/text/pluralize'

/** Sentences of the Excel + MP3 screen. Browser-safe. */

/** "7 rows will be imported, 2 will not." */
export function planWords({ counts }: Pick<DraftPlan, 'counts'>): string {
  const taken = takenRows(counts)
  const rest = [
    counts.same > 0 && pluralize(counts.same, 'is there already', 'are there already'),
    counts.problem > 0 && `${counts.problem} will not`,
  ].filter(Boolean)
  return `${[`${rows(taken)} will be imported`, ...rest].join(', ')}.`
}

export function takenRows(counts: DraftPlan['counts']): number {
  return counts.new + counts.change + counts.held
}

/** "6 added, 1 changed, 2 not imported. 7 audio files matched." Zero counts are left out. */
export function outcomeWords(outcome: ImportOutcome): string {
  const { created, changed, same, failed, matchedAudio } = outcome
  const parts = [
    created > 0 && `${count(created)} added`,
    changed > 0 && `${count(changed)} changed`,
    same > 0 && `${count(same)} the same`,
    failed > 0 && `${count(failed)} not imported`,
  ].filter(Boolean)
  const rest = matchedAudio > 0 ? ` ${files(matchedAudio)} matched.` : ''
  return `${parts.join(', ') || 'There was nothing to import'}.${rest}`
}

export function rows(number: number): string {
  return pluralize(number, 'row')
}

export function files(number: number): string {
  return pluralize(number, 'audio file')
}

function count(number: number): string {
  return number.toLocaleString('en')
}

/** "No row is named like a.mp3. It was not imported." Of many files the first three are named. */
export function unmatchedWords(names: readonly string[]): string {
  return `No row is named like ${listWords(names)}. ${names.length === 1 ? 'It was' : 'They were'} not imported.`
}

/** "a.mp3, b.mp3, c.mp3 and 4 more" */
export function listWords(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
