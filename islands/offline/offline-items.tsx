import { useEffect, useRef, useState } from 'react'
import { OfflineItemList } from '#islands/offline/offline-item-list'
import { readOfflineItems, useOfflineItems } from '#islands/offline/saving'
import type { OfflineItem } from '#islands/offline/store'
import { playerState } from '#islands/player/state'
import { useCardPlayback } from '#islands/player/use-card-playback'
import ReadAlong from '#islands/reading/read-along'
import { mount as followReader } from '#islands/reading/story-reader'
import { emit } from '#islands/runtime/events'
import { itemMinutes } from '#src/story/narrator-words'
import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { OfflinePage } from '#src/ui/quiet-page'
import { ReaderHead } from '#src/ui/reader-head'
import { ReadingPlace } from '#src/ui/reading-place'
import { StoryText } from '#src/ui/story-text'
import { urls } from '#src/urls'

/** The offline page: the saved item of this address, otherwise all saved items. */
export default function OfflineItems() {
  const offline = useOfflineItems()
  const [path, setPath] = useState<string | null>(null)
  useEffect(() => {
    setPath(location.pathname)
    // The page is the same for everyone, so the chosen theme has to be read from the cookie.
    const [, theme] = /(?:^|; )nocturne_theme=(dark|paper)/.exec(document.cookie) ?? []
    if (theme) document.documentElement.dataset.theme = theme
    void readOfflineItems()
  }, [])
  useEffect(() => {
    const comeBack = () => {
      if (!playerState().isPlaying) location.reload()
    }
    addEventListener('online', comeBack)
    return () => removeEventListener('online', comeBack)
  }, [])
  const whole = offline?.items.filter(({ isWhole }) => isWhole) ?? []
  const here = whole.find(({ item }) => urls.item(item) === path)
  if (here) return <OfflineReading saved={here} />
  return (
    <OfflinePage
      hasItems={offline && whole.length > 0}
      offlineItems={
        whole.length > 0 && (
          <section className="panel panel-flush saved-offline" aria-label="Kept on this device">
            <OfflineItemList items={whole} saving={{}} />
          </section>
        )
      }
    />
  )
}

function OfflineReading({ saved: { item, track } }: { saved: OfflineItem }) {
  const playback = useCardPlayback(track.id)
  const isPlaying = playback?.isPlaying ?? false
  return (
    <article className="reader-main">
      <p className="meta">Offline: kept on this device</p>
      <ReaderHead item={item} />
      <div className="btn-row">
        {track.meta.hasAudio && (
          <button
            className="btn btn-primary btn-lg"
            type="button"
            onClick={() => emit('nocturne:play', { track })}
          >
            <Icon name={isPlaying ? 'i-lucide-solid-pause' : 'i-lucide-solid-play'} />
            {isPlaying ? 'Pause' : 'Play'}
          </button>
        )}
        <ButtonLink kind="ghost" href={urls.offline()}>
          Everything kept
        </ButtonLink>
      </div>
      {track.meta.hasAudio && <ReadAlong track={track} heardSeconds={null} />}
      <StoryText text={item.content} />
      <FollowedReading item={item} />
    </article>
  )
}

function FollowedReading({ item }: Pick<OfflineItem, 'item'>) {
  const place = useRef<HTMLDivElement>(null)
  const readingMinutes = item.readingMinutes ?? itemMinutes(item) ?? 1
  useEffect(() => {
    const { id: contentId, type: contentType, title } = item
    const reader = { contentId, contentType, title, readingMinutes, isOpen: true, isMember: true }
    if (place.current) return followReader(place.current, { ...reader, lastPositionSec: 0 })
  }, [item, readingMinutes])
  return (
    <div ref={place}>
      {item.type === 'story' && <ReadingPlace isOpen readingMinutes={readingMinutes} savedFraction={null} />}
    </div>
  )
}
