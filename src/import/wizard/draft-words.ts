import type { DraftPlan, ImportOutcome } from '#src/import/draft/schema'

/** Sentences of the Excel + MP3 screen. Browser-safe. */

/** "7 rows will be imported, 2 will not." */
export function planWords({ counts }: Pick<DraftPlan, 'counts'>): string {
  const taken = takenRows(counts)
  const rest = [
    counts.same > 0 && `${counts.same} ${counts.same === 1 ? 'is' : 'are'} there already`,
    counts.problem > 0 && `${counts.problem} will not`,
  ].filter(Boolean)
  return `${[`${rows(taken)} will be imported`, ...rest].join(', ')}.`
}

export function takenRows(counts: DraftPlan['counts']): number {
  return counts.new + counts.change + counts.held
}

/** "6 added, 1 changed, 1 the same, 2 not imported. 7 audio files placed." */
export function outcomeWords(outcome: ImportOutcome): string {
  const { created, changed, same, failed, matchedAudio } = outcome
  const parts = [
    `${count(created)} added`,
    `${count(changed)} changed`,
    same > 0 && `${count(same)} the same`,
    failed > 0 && `${count(failed)} not imported`,
  ].filter(Boolean)
  return `${parts.join(', ')}. ${files(matchedAudio)} matched.`
}

export function rows(number: number): string {
  return `${count(number)} ${number === 1 ? 'row' : 'rows'}`
}

export function files(number: number): string {
  return `${count(number)} audio ${number === 1 ? 'file' : 'files'}`
}

function count(number: number): string {
  return number.toLocaleString('en')
}
