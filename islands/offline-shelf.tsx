import { Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { emit } from '#islands/events'
import { KeptList } from '#islands/offline/kept-list'
import { readShelf, useKeptShelf } from '#islands/offline/saving'
import type { KeptItem } from '#islands/offline/store'
import { useCardPlayback } from '#islands/player/use-card-playback'
import ReadAlong from '#islands/read-along'
import StoryReader from '#islands/story-reader'
import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { itemMinutes } from '#src/ui/narrator-line'
import { OfflinePage } from '#src/ui/quiet-page'
import { ReaderHead } from '#src/ui/reader-head'
import { StoryText } from '#src/ui/story-text'
import { urls } from '#src/urls'

/** The page for those without a network: the item of this address where it is kept, else all that is. */
export default function OfflineShelf() {
  const shelf = useKeptShelf()
  const [path, setPath] = useState<string | null>(null)
  useEffect(() => {
    setPath(location.pathname)
    // The page is everyone's: what was chosen stands in the cookie alone.
    const [, theme] = /(?:^|; )nocturne_theme=(dark|paper)/.exec(document.cookie) ?? []
    if (theme) document.documentElement.dataset.theme = theme
    void readShelf()
  }, [])
  const whole = shelf?.kept.filter(({ isWhole }) => isWhole) ?? []
  const here = whole.find(({ item }) => urls.item(item) === path)
  if (here) return <KeptReading kept={here} />
  return (
    <OfflinePage
      keptItems={
        whole.length > 0 && (
          <section className="panel panel-flush kept-offline" aria-label="Kept on this device">
            <KeptList kept={whole} saving={{}} />
          </section>
        )
      }
    />
  )
}

function KeptReading({ kept: { item, track } }: { kept: KeptItem }) {
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
            <Icon of={isPlaying ? Pause : Play} isSolid />
            {isPlaying ? 'Pause' : 'Play'}
          </button>
        )}
        <ButtonLink kind="ghost" href={urls.offline()}>
          All that is kept
        </ButtonLink>
      </div>
      {track.meta.hasAudio && <ReadAlong track={track} heardSeconds={null} />}
      <StoryText text={item.content} />
      <StoryReader
        contentId={item.id}
        contentType={item.type}
        isOpen
        isMember
        title={item.title}
        readingMinutes={item.readingMinutes ?? itemMinutes(item) ?? 1}
        lastPositionSec={0}
      />
    </article>
  )
}
