import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { autoPlayAtom, queueAtom } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { useAudio } from '#islands/player/use-audio'
import { useFocusOnRemoval } from '#islands/player/use-focus-on-removal'
import type { Track } from '#src/story/track-rules'
import { Cover } from '#src/ui/cover'
import { useElementId } from '#src/ui/element-id'
import { IconButton } from '#src/ui/icon-button'
import { SettingSwitch } from '#src/ui/switch'

/** The queue. It is reordered with buttons or with the arrow keys. */
export function QueueList() {
  const { currentTrack, duration, currentTime, player } = useAudio()
  const { entries } = useAtomValue(queueAtom)
  const doesAutoPlay = useAtomValue(autoPlayAtom)
  const hintId = useElementId()
  const list = useRef<HTMLOListElement>(null)
  const focusEntry = useFocusAfterChange(list)
  const [announcement, setAnnouncement] = useState('')

  const move = ({ id, title }: Track, by: -1 | 1) => {
    const to = entries.findIndex(({ track }) => track.id === id) + 1 + by
    if (to < 1 || to > entries.length) return
    // In some browsers a row that changes its place loses the focus.
    focusEntry(id)
    setAnnouncement(`${title} is now ${to} of ${entries.length}.`)
    player.queue.move(id, by)
  }
  const play = (track: Track) => {
    setAnnouncement(`${track.title} plays now.`)
    player.queue.play(track)
  }
  const remove = ({ id, title }: Track) => {
    const at = entries.findIndex(({ track }) => track.id === id)
    focusEntry((entries[at + 1] ?? entries[at - 1])?.track.id)
    setAnnouncement(`${title} was removed from the queue.`)
    player.queue.remove(id)
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <p id={hintId} hidden>
        Plays it now. The up and down arrows move it.
      </p>
      <ol className="queue" ref={list} tabIndex={-1}>
        {currentTrack && (
          <li className="is-now" aria-current="true">
            <Cover title={currentTrack.title} shape="40" />
            <span className="row-words">
              <b>{currentTrack.title}</b>
              <span className="meta">{leftOf(duration - currentTime)}</span>
            </span>
          </li>
        )}
        {entries.map(({ track }, at) => (
          <QueueRow
            key={track.id}
            track={track}
            hintId={hintId}
            isFirst={at === 0}
            isLast={at === entries.length - 1}
            onMove={(by) => move(track, by)}
            onPlay={() => play(track)}
            onRemove={() => remove(track)}
          />
        ))}
      </ol>
      {entries.length === 0 && <p className="hint">Nothing is up next.</p>}
      <SettingSwitch
        title="Auto-play next"
        words="When an item ends, the next in the queue begins."
        checked={doesAutoPlay}
        onChange={(event) => void player.queue.setAutoPlay(event.target.checked)}
      />
    </>
  )
}

/** Returns a function that moves the focus after the next render: to an entry, or to the list if there is none. */
function useFocusAfterChange(list: RefObject<HTMLElement | null>): (entryId: string | undefined) => void {
  const next = useRef<{ entryId: string | undefined } | null>(null)
  useLayoutEffect(() => {
    if (!next.current) return
    const { entryId } = next.current
    next.current = null
    const entry = list.current?.querySelector<HTMLElement>(`[data-entry="${entryId}"]`)
    ;(entry ?? list.current)?.focus()
  })
  return (entryId) => {
    next.current = { entryId }
  }
}

/** Finds the list of a row, which leaves the queue when its item begins to play. */
const findList = (row: HTMLElement) => row.closest<HTMLElement>('ol')

function QueueRow({
  track,
  hintId,
  isFirst,
  isLast,
  onMove,
  onPlay,
  onRemove,
}: {
  track: Track
  hintId: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onPlay: () => void
  onRemove: () => void
}) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  const { title } = track
  return (
    <li ref={useFocusOnRemoval(findList)}>
      <Cover title={title} shape="40" />
      <button
        className="row-words queue-play"
        type="button"
        data-entry={track.id}
        aria-describedby={hintId}
        onKeyDown={onKey}
        onClick={onPlay}
      >
        <b>{title}</b>
        <span className="meta">{leftOf(contentOf(track)?.durationSeconds ?? 0)}</span>
      </button>
      <span className="queue-tools">
        <IconButton
          label={`Move ${title} up`}
          icon="i-lucide-sm-arrow-up"
          disabled={isFirst}
          onPress={() => onMove(-1)}
        />
        <IconButton
          label={`Move ${title} down`}
          icon="i-lucide-sm-arrow-down"
          disabled={isLast}
          onPress={() => onMove(1)}
        />
        <IconButton label={`Remove ${title} from the queue`} icon="i-lucide-sm-x" onPress={onRemove} />
      </span>
    </li>
  )
}

function leftOf(seconds: number): string {
  return seconds > 0 ? `${Math.max(1, Math.round(seconds / 60))} min` : ''
}
