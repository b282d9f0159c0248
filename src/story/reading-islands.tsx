import ReadAlong from '#islands/reading/read-along'
import { resumeFraction } from '#islands/reading/session'
import type { StoryReaderProps } from '#islands/reading/story-reader'
import { isSameTotal, rescalePosition } from '#src/listening/rules'
import type { Progress } from '#src/listening/schema'
import { itemMinutes } from '#src/story/narrator-words'
import { Island } from '#src/ui/island'
import { ReadingPlace } from '#src/ui/reading-place'
import type { Item } from './schema'
import { trackOf } from './track-rules'

/** The behaviour of a page while its text is read: the position, its milestones, and the prompt at the end. */
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
  const place = readingPlace(item, progress)
  const props: StoryReaderProps = {
    contentId: item.id,
    contentType: item.type,
    title: item.title,
    isOpen,
    isMember,
    ...place,
  }
  const savedFraction = resumeFraction(place.lastPositionSec, place.readingMinutes * 60)
  return (
    <Island name="story-reader" props={props} when={savedFraction === null ? 'idle' : 'load'}>
      {item.type === 'story' && (
        <ReadingPlace isOpen={isOpen} readingMinutes={place.readingMinutes} savedFraction={savedFraction} />
      )}
    </Island>
  )
}

/** Highlights the spoken words on the page. */
export function ReadAlongIsland({ item, progress }: { item: Item; progress: Progress | null }) {
  if (!item.narrations.female && !item.narrations.male) return null
  const soundSeconds = item.audioDurationSeconds ?? item.duration * 60
  const isHeard = progress?.totalSec != null && isSameTotal(progress.totalSec, soundSeconds)
  return (
    <Island
      name="read-along"
      of={ReadAlong}
      props={{ track: trackOf(item), heardSeconds: isHeard ? (progress?.lastPositionSec ?? null) : null }}
      when={isHeard ? 'idle' : 'use'}
    />
  )
}

/** The reading time, and the position in seconds of it. */
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
