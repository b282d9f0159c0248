import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { ProgressRail } from '#src/ui/progress-rail'

/**
 * The progress beside a text, and a note about where an earlier reading stopped. islands/reading/story-reader.ts fills
 * both.
 */
export function ReadingPlace({
  isOpen,
  readingMinutes,
  savedFraction,
}: {
  /** Whether the whole text is on the page. If not, the column of the progress stays empty. */
  isOpen: boolean
  readingMinutes: number
  /** Where an earlier reading stopped, 0 to 1. Null if there is nothing to resume. */
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

/** Says that the text was scrolled to that position, or offers to scroll there. */
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
