import { useEffect, useRef } from 'react'
import { useAudio } from '#islands/player/use-audio'
import { speeds } from '#src/listening/rules'
import { clock } from '#src/ui/clock'

/** How fast it is spoken. The pitch of the voice stays. Esc and a press elsewhere close it. */
export function SpeedMenu({ onClose }: { onClose: () => void }) {
  const menu = useRef<HTMLElement>(null)

  useEffect(() => {
    menu.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onClose()
    }
    const onPress = ({ target }: PointerEvent) => {
      const isChip = target instanceof Element && target.closest('.player-chip') !== null
      if (target instanceof Node && !menu.current?.contains(target) && !isChip) onClose()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [onClose])

  return (
    <section className="popover popover-at" role="dialog" aria-label="Speed" data-open="" ref={menu}>
      <div className="popover-head">
        <h2>Speed</h2>
      </div>
      <SpeedSteps />
    </section>
  )
}

/** The usual speeds, and what the chosen one makes of the length. */
export function SpeedSteps() {
  const { speed, duration, player } = useAudio()
  return (
    <>
      <p className="figure-lg">{speed}×</p>
      <div className="speed">
        {speeds.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === speed}
            onClick={() => player.setSpeed(each)}
          >
            {each}×
          </button>
        ))}
      </div>
      {duration > 0 && (
        <p className="meta" role="status">
          {clock(duration)} {speed === 1 ? 'as it was spoken.' : `becomes ${clock(duration / speed)}.`}
        </p>
      )}
    </>
  )
}
