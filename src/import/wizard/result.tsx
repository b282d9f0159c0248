import { consoleUrls } from '#src/console-urls'
import type { ImportDraft, ImportOutcome } from '#src/import/draft/schema'
import { binDays } from '#src/story/rules'
import { Badge } from '#src/ui/badge'
import { Button, ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { outcomeWords, rows, unmatchedWords } from './draft-words'

/** The outcome of the import, and the next steps: undo, fix, or the next import. */
export function Result({
  draft,
  outcome,
  isBusy,
  onUndo,
  onNext,
}: {
  draft: ImportDraft
  outcome: ImportOutcome
  isBusy: boolean
  onUndo: () => void
  onNext: () => void
}) {
  const { batchId, isUndone, created, changed, failed, unmatchedAudio, warnings } = outcome
  const state = isUndone ? 'undone' : 'finished'
  return (
    <section className="panel stack" aria-labelledby={state}>
      <div className="panel-head">
        <h2 id={state} tabIndex={-1}>
          {isUndone ? 'Import undone' : 'Import finished'}
        </h2>
        {isUndone ? <Badge kind="line">Undone</Badge> : <Badge kind="good">{rows(created + changed)}</Badge>}
      </div>
      {!isUndone && (
        <progress className="meter meter-lg meter-good" value={100} max={100} aria-label="Imported" />
      )}
      {isUndone ? (
        <p role="status">
          {draft.fileName}: the items it created are in the bin for {binDays} days, under{' '}
          <a href={urls.premiumContent({ status: 'removed' })}>Removed</a> in the library. Items edited since
          stay, unless they were undone too.
        </p>
      ) : (
        <p role="status">
          {draft.fileName}: {outcomeWords(outcome)}
        </p>
      )}
      {!isUndone && unmatchedAudio.length > 0 && (
        <Notice kind="warn">{unmatchedWords(unmatchedAudio)}</Notice>
      )}
      {!isUndone && warnings.length > 0 && (
        <details className="file-fold">
          <summary className="meta">What the guidelines let pass: {warnings.length}</summary>
          <ul className="stack-sm">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      <div className="btn-row">
        {batchId && !isUndone && (
          <ButtonLink size="sm" href={urls.premiumContent()}>
            See them in the library
          </ButtonLink>
        )}
        {batchId && !isUndone && (
          <Button size="sm" isBusy={isBusy} onClick={onUndo}>
            <Icon name="i-lucide-sm-undo-2" />
            Undo this import
          </Button>
        )}
        {failed > 0 && (
          <ButtonLink size="sm" href={consoleUrls.apiFailedRows(draft.id)} download>
            <Icon name="i-lucide-sm-download" />
            Download failed rows
          </ButtonLink>
        )}
        <Button size="sm" kind="primary" isBusy={isBusy} onClick={onNext}>
          Import another sheet
        </Button>
      </div>
    </section>
  )
}
