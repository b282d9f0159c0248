export type StoryReaderProps = {
  contentId: string
  contentType: 'story' | 'flow'
  /** The whole text is on the page: reading is followed. */
  isOpen: boolean
  isMember: boolean
  title: string
  /** Rounded-up reading minutes. */
  readingMinutes: number
  /** Where reading stopped: seconds of the estimated total. */
  lastPositionSec: number
  /** Null for members. */
  freeStoriesLeft: number | null
}

/** How far one has read: the rail beside the text, milestones, completion and what is reported of them. */
export default function StoryReader({ readingMinutes }: StoryReaderProps) {
  return (
    <aside className="rail" aria-label="Progress">
      <strong className="num">0 %</strong>
      <span>{readingMinutes} min left</span>
    </aside>
  )
}
