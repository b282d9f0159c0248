import { useEffect, useEffectEvent, useRef } from 'react'
import { visit } from '#islands/navigation/visit'
import { hasKeys, typing } from '#islands/player/preferences'
import { rooms } from '#src/ui/console/console-nav'
import { Dialog } from '#src/ui/dialog'

/** `/` goes to the page's search, `g` and a letter to a page, `?` shows all keys of the console. */
export function ConsoleKeys() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isGoing = useRef(false)

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return
    const { key } = event
    const room = isGoing.current ? rooms.find((each) => each.key === key) : undefined
    isGoing.current = key === 'g' && !isGoing.current
    if (room) void visit(room.href)
    else if (key === '/') focusSearch()
    else if (key === '?') dialog.current?.showModal()
    else if (key === 'x' || key === 'X') pickRow(event)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <Dialog id="console-keys" ref={dialog} title="Keys" width="narrow">
      <dl className="facts">
        <Key keys="/">the search of this page</Key>
        <Key keys="?">these keys</Key>
        <Key keys="x">selects the row that has the focus</Key>
        <Key keys="Shift">with a press or x: selects from the last one to this</Key>
        {rooms.map(({ name, key }) => (
          <Key key={key} keys={`g ${key}`}>
            {name}
          </Key>
        ))}
      </dl>
      <p className="hint">Settings switch them off, in this browser.</p>
    </Dialog>
  )
}

function Key({ keys, children }: { keys: string; children: string }) {
  return (
    <>
      <dt>
        <kbd className="mono">{keys}</kbd>
      </dt>
      <dd>{children}</dd>
    </>
  )
}

function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  search?.focus()
  search?.select()
}

/** Boxes to tick are no text: letters mean nothing to them. */
const writing = typing.replace('[type="range"]', '[type="range"], [type="checkbox"], [type="radio"]')

/** Whether a key is a shortcut here: they are on, nothing is being written, and no dialog is open. */
function isShortcut({ target, altKey, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || altKey || ctrlKey || metaKey || !hasKeys()) return false
  if (document.querySelector('dialog:modal')) return false
  return !(target instanceof Element && target.closest(writing))
}

/** Presses the box of the row that has the focus; with Shift as if Shift were held at the press. */
function pickRow({ shiftKey }: KeyboardEvent): void {
  const row = document.activeElement?.closest('[data-pick-row]')
  const box = row?.querySelector('input[type="checkbox"]')
  box?.dispatchEvent(new MouseEvent('click', { shiftKey, bubbles: true, cancelable: true }))
}
