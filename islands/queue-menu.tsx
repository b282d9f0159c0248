import { EllipsisVertical, ListPlus, ListStart } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { emit, type Track } from '#islands/events'
import type { TrackItem } from '#src/story/track'
import { Icon } from '#src/ui/icon'

const choices = [
  { place: 'next', label: 'Play next', icon: ListStart },
  { place: 'last', label: 'Add to queue', icon: ListPlus },
] as const
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Not now, but then: what a card or a row can do besides playing. The arrows choose, Esc closes. */
export function QueueMenu({ track }: { track: Track & { meta: TrackItem } }) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !place.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') return setOpen(false)
    if (event.key === 'Escape') close()
    else if (event.key in steps) step(event.currentTarget, steps[event.key] ?? 0)
    else return
    event.preventDefault()
  }

  return (
    <div className="queue-menu" ref={place}>
      <button
        ref={button}
        className="icon-btn"
        type="button"
        aria-label={`More for ${track.title}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={EllipsisVertical} />
      </button>
      {isOpen && (
        <div
          className="popover"
          role="menu"
          tabIndex={-1}
          aria-label={`More for ${track.title}`}
          data-open=""
          onKeyDown={onKey}
        >
          {choices.map((choice) => (
            <button
              key={choice.place}
              className="option"
              type="button"
              role="menuitem"
              onClick={() => {
                close()
                emit('nocturne:play', { track, place: choice.place })
              }}
            >
              <Icon of={choice.icon} />
              {choice.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** From one entry to the one beside it, and around. */
function step(menu: HTMLElement, by: number): void {
  const entries = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = entries.findIndex((entry) => entry.matches(':focus'))
  entries.at((at + by) % entries.length)?.focus()
}
