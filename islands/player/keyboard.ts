import { hasKeys, typing } from '#islands/player/preferences'
import { skipSeconds } from '#src/listening/rules'

export type PlayerKeyCommand = { type: 'toggle' } | { type: 'undo' } | { type: 'skip'; seconds: number }

/**
 * Returns the player's command for a key, or null: space and k toggle playback, the left and right arrows skip, u
 * undoes a jump.
 */
export function commandOfKey(key: string): PlayerKeyCommand | null {
  if (key === ' ' || key === 'k' || key === 'K') return { type: 'toggle' }
  if (key === 'u' || key === 'U') return { type: 'undo' }
  if (key === 'ArrowLeft') return { type: 'skip', seconds: -skipSeconds }
  return key === 'ArrowRight' ? { type: 'skip', seconds: skipSeconds } : null
}

/** Handles the player's keys unless the focused element uses them. Returns a function that stops this. */
export function startPlayerKeys(handle: (command: PlayerKeyCommand) => boolean): () => void {
  const onKey = (event: KeyboardEvent) => {
    const command = commandOfKey(event.key)
    if (!command || !hasKeys() || event.defaultPrevented || hasModifier(event) || isNeededElsewhere(event))
      return
    if (handle(command)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey
}

/** Sliders use the arrows, buttons the space bar. */
const sliding = 'input[type="range"], [role="slider"]'
const pressing = 'button, summary, [role="button"]'

function isNeededElsewhere({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (document.querySelector('dialog:modal')) return true
  const needing = key === ' ' ? pressing : key.startsWith('Arrow') ? sliding : null
  return target.closest(typing) !== null || (needing !== null && target.closest(needing) !== null)
}
