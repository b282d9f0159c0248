import type { Sending } from '#islands/import/send-files'
import { AppearingNotice } from '#islands/site/appearing-notice'
import type { ImportDraft } from '#src/import/draft/schema'
import { waitingWords } from '#src/job/rules'
import { dot, joinFacts } from '#src/text/join-facts'
import { Button } from '#src/ui/button'
import { sizeWords } from '#src/ui/size-words'
import { files } from './draft-words'

/** The upload's progress, in bytes sent. */
export function SendingBar({ sending, onStop }: { sending: Sending; onStop: () => void }) {
  const { phase, fileName, done, total, sentBytes, totalBytes } = sending
  const share = totalBytes > 0 ? sentBytes / totalBytes : total > 0 ? done / total : 0
  return (
    <section className="panel stack" aria-label="Sending">
      <div className="panel-head">
        <h2>{phase === 'looking' ? 'Looking at the files' : 'Sending the audio'}</h2>
        <Button kind="ghost" size="sm" onClick={onStop}>
          Stop
        </Button>
      </div>
      <progress
        className="meter meter-lg"
        value={Math.round(share * 100)}
        max={100}
        aria-label={phase === 'looking' ? 'Files looked at' : 'Audio sent'}
      />
      <p>
        {done} of {files(total)}
        <span className="meta">
          {phase === 'looking'
            ? ` ${fileName}`
            : dot + joinFacts(fileName, `${sizeWords(sentBytes)} of ${sizeWords(totalBytes)}`)}
        </span>
      </p>
      {phase === 'offline' && (
        <AppearingNotice
          kind="warn"
          words="The connection was lost. Sending resumes automatically; what was sent stays."
        />
      )}
    </section>
  )
}

/** The progress of the running import. */
export function RunningBar({
  draft,
  isBusy,
  onCancel,
}: {
  draft: ImportDraft
  isBusy: boolean
  onCancel: () => void
}) {
  const percent = Math.round((draft.job?.progress ?? 0) * 100)
  return (
    <section className="panel stack" aria-label="Import">
      <div className="panel-head">
        <h2 id="importing" tabIndex={-1}>
          Importing {draft.fileName}
        </h2>
        <Button kind="ghost" size="sm" isBusy={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <progress className="meter meter-lg" value={percent} max={100} aria-label="Imported" />
      <p>
        <span className="num">{percent} %</span>
        <span className="meta">{draft.job?.state === 'queued' && dot + waitingWords(draft.job)}</span>
      </p>
      <p className="meta">Members see nothing until every row is in. You may leave this page.</p>
    </section>
  )
}
