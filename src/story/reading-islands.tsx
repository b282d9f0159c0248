import ReadAlong from '#islands/read-along'
import StoryReader from '#islands/story-reader'
import { isSameTotal, rescalePosition } from '#src/listening/rules'
import type { Progress } from '#src/listening/schema'
import { Island } from '#src/ui/island'
import { itemMinutes } from '#src/ui/narrator-line'
import type { Item } from './schema'
import { trackOf } from './track'

/** What a page of words does while it is read: the place, its milestones, and the prompt at the end. */
export function StoryReaderIsland({
  item,
  isOpen,
  isMember,
  progress,
}: {
  item: Item
  isOpen: boolean
  isMember: boolean
  progress: Progress | null
}) {
  return (
    <Island
      name="story-reader"
      of={StoryReader}
      props={{
        contentId: item.id,
        contentType: item.type,
        title: item.title,
        isOpen,
        isMember,
        ...readingPlace(item, progress),
      }}
    />
  )
}

/** Follows the voice through the words that stand on the page. */
export function ReadAlongIsland({ item, progress }: { item: Item; progress: Progress | null }) {
  if (!item.narrations.female && !item.narrations.male) return null
  const soundSeconds = item.audioDurationSeconds ?? item.duration * 60
  const isHeard = progress?.totalSec != null && isSameTotal(progress.totalSec, soundSeconds)
  return (
    <Island
      name="read-along"
      of={ReadAlong}
      props={{ track: trackOf(item), heardSeconds: isHeard ? (progress?.lastPositionSec ?? null) : null }}
      when="idle"
    />
  )
}

/** How long reading takes, and where it stopped in seconds of that. */
function readingPlace(
  item: Item,
  progress: Progress | null,
): { readingMinutes: number; lastPositionSec: number } {
  const readingMinutes = item.readingMinutes ?? itemMinutes(item) ?? 1
  return {
    readingMinutes,
    lastPositionSec: progress
      ? rescalePosition(progress.lastPositionSec, progress.totalSec, readingMinutes * 60)
      : 0,
  }
}
