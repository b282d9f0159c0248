import { useEffect, useRef, useState } from 'react'
import { followReading } from '#islands/reading/follow-reading'
import { ResumeNote } from '#islands/reading/resume-note'
import { findScrollArea, type ScrollArea } from '#islands/reading/scroll-area'
import { resumeFraction } from '#islands/reading/session'
import { countReadStory } from '#islands/reading/stories-count'
import type { ItemType } from '#src/story/rules'
import { ProgressRail } from '#src/ui/progress-rail'

export type StoryReaderProps = {
  contentId: string
  contentType: ItemType
  /** The whole text is on the page: reading is followed. */
  isOpen: boolean
  isMember: boolean
  title: string
  /** Rounded-up reading minutes. */
  readingMinutes: number
  /** Where reading stopped: seconds of the estimated total. */
  lastPositionSec: number
}

/** The notice goes once one reads on by this much. */
const noteFraction = 0.04

type Note = { fraction: number; isThere: boolean }

/** How far one has read: the rail beside the text, milestones, completion and what is reported of them. */
export default function StoryReader(props: StoryReaderProps) {
  const { contentId, contentType, isOpen, isMember, title, readingMinutes, lastPositionSec } = props
  const mark = useRef<HTMLSpanElement>(null)
  const area = useRef<ScrollArea | null>(null)
  const [fraction, setFraction] = useState(0)
  const [note, setNote] = useState<Note | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one reading of one text; the rest does not change with it
  useEffect(() => {
    area.current = mark.current && findScrollArea(mark.current)
    if (!isOpen || !area.current) return
    const totalSec = readingMinutes * 60
    const kept = resumeFraction(lastPositionSec, totalSec)
    if (kept !== null && contentType === 'story')
      setNote({ fraction: kept, isThere: takeUp(area.current, kept) })
    if (!isMember) countReadStory()
    return followReading({ contentId, contentType, title, totalSec }, area.current, kept ?? 0, setFraction)
  }, [contentId])

  const isReadOn = note !== null && Math.abs(fraction - (note.isThere ? note.fraction : 0)) > noteFraction
  useEffect(() => {
    if (isReadOn) setNote(null)
  }, [isReadOn])

  const go = () => {
    if (note) area.current?.scrollTo(note.isThere ? 0 : note.fraction)
    setNote(null)
  }

  return (
    <>
      <span ref={mark} hidden />
      {contentType === 'story' && (
        <Rail isOpen={isOpen} fraction={fraction} readingMinutes={readingMinutes} />
      )}
      {note && <ResumeNote {...note} onGo={go} onClose={() => setNote(null)} />}
    </>
  )
}

/** Its column stays free where there is nothing to follow. */
function Rail({
  isOpen,
  fraction,
  readingMinutes,
}: {
  isOpen: boolean
  fraction: number
  readingMinutes: number
}) {
  if (!isOpen) return <span className="rail" />
  return <ProgressRail fraction={fraction} minutesLeft={Math.ceil(readingMinutes * (1 - fraction))} />
}

/** Goes to the kept place, unless the reader has begun to move: then it is only offered. */
function takeUp(area: ScrollArea, fraction: number): boolean {
  if (!area.isAtTop()) return false
  area.scrollTo(fraction)
  return true
}
