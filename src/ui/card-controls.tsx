import { clock } from '#src/ui/clock'
import { FavoriteButton } from '#src/ui/favorite-button'
import { Icon } from '#src/ui/icon'

/** The player's state for the card's item. Null while the player has another item, or none. */
export type CardPlayback = { isPlaying: boolean; positionSeconds: number; durationSeconds: number }

/** Controls on the cover of a ContentCard: play or pause, the time, the heart. */
export function CardControls({
  title,
  titleId,
  minutes,
  isFavorite,
  playback,
  onPlay,
  onFavorite,
}: {
  title: string
  /** The id of the title on the card. */
  titleId?: string
  minutes: number | null
  isFavorite: boolean
  playback: CardPlayback | null
  onPlay?: () => void
  onFavorite?: () => void
}) {
  return (
    <>
      <PlayPill
        title={title}
        isPlaying={playback?.isPlaying ?? false}
        isLoaded={playback !== null}
        onPlay={onPlay}
      />
      <CardTime minutes={minutes} playback={playback} />
      <FavoriteButton isFavorite={isFavorite} titleId={titleId} onToggle={onFavorite} />
      {playback && playback.durationSeconds > 0 && (
        <progress
          className="meter card-progress"
          value={playback.positionSeconds}
          max={playback.durationSeconds}
          aria-hidden="true"
        />
      )}
    </>
  )
}

function CardTime({ minutes, playback }: { minutes: number | null; playback: CardPlayback | null }) {
  if (playback && playback.durationSeconds > 0) {
    const at = `${clock(playback.positionSeconds)} of ${clock(playback.durationSeconds)}`
    return <span className="card-time num">{at}</span>
  }
  return minutes === null ? null : <span className="card-time num">{`${minutes} min`}</span>
}

function PlayPill({
  title,
  isPlaying,
  isLoaded,
  onPlay,
}: {
  title: string
  isPlaying: boolean
  /** Whether the player has the item, playing or paused. The card is then highlighted. */
  isLoaded: boolean
  onPlay?: () => void
}) {
  const label = isPlaying ? 'Pause' : 'Play'
  return (
    <button
      className="btn play-pill"
      type="button"
      aria-label={`${label} ${title}`}
      data-loaded={isLoaded ? '' : undefined}
      onClick={onPlay}
    >
      <Icon name={isPlaying ? 'i-lucide-solid-pause' : 'i-lucide-solid-play'} />
      {label}
    </button>
  )
}
