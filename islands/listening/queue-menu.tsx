import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { emit } from '#islands/runtime/events'
import type { ItemTrack } from '#src/story/track-rules'
import { Icon } from '#src/ui/icon'

const choices = [
  { place: 'next', label: 'Play next', icon: 'i-lucide-list-start' },
  { place: 'last', label: 'Add to queue', icon: 'i-lucide-list-plus' },
] as const
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Menu of a card or row with the actions other than playing. The arrow keys choose, Esc closes. */
export function QueueMenu({ track }: { track: ItemTrack }) {
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
        <Icon name="i-lucide-ellipsis-vertical" />
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
              <Icon name={choice.icon} />
              {choice.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Focuses the next or previous entry, with wrap-around. */
function step(menu: HTMLElement, by: number): void {
  const entries = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = entries.findIndex((entry) => entry.matches(':focus'))
  entries.at((at + by) % entries.length)?.focus()
}
