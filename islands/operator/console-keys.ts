import { visit } from '#islands/navigation/visit'
import { hasKeys, typing } from '#islands/player/preferences'
import { rooms } from '#src/ui/console/console-nav'

/**
 * Handles the keys on pages of the console: `/` focuses the search, `g` and a letter open a page, `x` selects a row,
 * `?` shows all keys.
 */
export function startConsoleKeys(showKeys: () => void): void {
  let isGoing = false
  document.addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return
    const { key } = event
    const room = isGoing ? rooms.find((each) => each.key === key) : undefined
    isGoing = key === 'g' && !isGoing
    if (room) void visit(room.href)
    else if (key === '/') focusSearch()
    else if (key === '?') showKeys()
    else if (key === 'x' || key === 'X') pickRow(event)
    else return
    event.preventDefault()
  })
}

function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  search?.focus()
  search?.select()
}

/** Fields that take text. Checkboxes and radio buttons do not, so letters are free for shortcuts there. */
const writing = typing.replace('[type="range"]', '[type="range"], [type="checkbox"], [type="radio"]')

/**
 * Whether a key is a shortcut: only on a page of the console, if shortcuts are on, nothing is being written and no
 * dialog is open.
 */
function isShortcut({ target, altKey, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || altKey || ctrlKey || metaKey || !hasKeys()) return false
  if (!document.querySelector('[data-name="operator-watch"]') || document.querySelector('dialog:modal'))
    return false
  return !(target instanceof Element && target.closest(writing))
}

/** Clicks the selection box of the focused row. Shift is passed on to the click. */
function pickRow({ shiftKey }: KeyboardEvent): void {
  const row = document.activeElement?.closest('[data-pick-row]')
  const box = row?.querySelector('input[type="checkbox"]')
  box?.dispatchEvent(new MouseEvent('click', { shiftKey, bubbles: true, cancelable: true }))
}
