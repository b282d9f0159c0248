import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { ProgressRail } from '#src/ui/progress-rail'

/**
 * The progress beside a text, and the note where an earlier reading stopped, for islands/reading/story-reader.ts, which
 * fills them.
 */
export function ReadingPlace({
  isOpen,
  readingMinutes,
  savedFraction,
}: {
  /** The whole text is on the page. Else its column stays empty. */
  isOpen: boolean
  readingMinutes: number
  /** Where an earlier reading stopped, 0 to 1; null where there is nothing to resume. */
  savedFraction: number | null
}) {
  if (!isOpen) return <span className="rail" />
  return (
    <>
      <ProgressRail readingMinutes={readingMinutes} />
      {savedFraction !== null && <ResumeNote fraction={savedFraction} />}
    </>
  )
}

/** The text is scrolled there, or offers to. */
function ResumeNote({ fraction }: { fraction: number }) {
  const percent = `${Math.round(fraction * 100)} %`
  return (
    <div className="reader-note" role="status" hidden>
      <p data-there="">{`You are where you stopped, at ${percent}.`}</p>
      <p data-elsewhere="">{`You stopped at ${percent}.`}</p>
      <Button kind="quiet" size="sm" name="go">
        <span data-there="">From the beginning</span>
        <span data-elsewhere="">Continue there</span>
      </Button>
      <button className="icon-btn icon-btn-sm" type="button" name="dismiss" aria-label="Dismiss">
        <Icon name="i-lucide-sm-x" />
      </button>
    </div>
  )
}
