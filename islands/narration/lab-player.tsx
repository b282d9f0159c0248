import { useEffect, useRef, useState } from 'react'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { PlayerTime } from '#src/ui/player-time'

/** Player with Play, Pause, and Stop, which returns to the start. Only one plays at a time. */
export function LabPlayer({ name, src }: { name: string; src: string }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [positionSeconds, setPosition] = useState(0)
  const [durationSeconds, setDuration] = useState(0)
  useEffect(() => () => URL.revokeObjectURL(src), [src])

  const toggle = () => {
    if (isPlaying) return audio.current?.pause()
    for (const other of document.querySelectorAll('audio')) if (other !== audio.current) other.pause()
    void audio.current?.play()
  }
  const seek = (seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds
    setPosition(seconds)
  }
  const stop = () => {
    audio.current?.pause()
    seek(0)
  }

  return (
    <div className="stack-sm">
      {/* biome-ignore lint/a11y/useMediaCaption: the words stand in the field beside it */}
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setPosition(event.currentTarget.currentTime)}
        onLoadedMetadata={(event) => setDuration(event.currentTarget.duration)}
      />
      <PlayerTime positionSeconds={positionSeconds} durationSeconds={durationSeconds} onSeek={seek} />
      <div className="btn-row">
        <Button size="sm" aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`} onClick={toggle}>
          <Icon name={isPlaying ? 'i-lucide-sm-pause' : 'i-lucide-sm-play'} />
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Button size="sm" aria-label={`Stop ${name}`} onClick={stop}>
          <Icon name="i-lucide-sm-square" />
          Stop
        </Button>
      </div>
    </div>
  )
}
