import { rooms } from '#src/ui/console/console-nav'
import { Dialog } from '#src/ui/dialog'

/** List of all keys of the console (console-keys.ts). */
export function ConsoleKeysDialog() {
  return (
    <Dialog id="console-keys" title="Keys" width="narrow">
      <dl className="facts">
        <Key keys="/">the search of this page</Key>
        <Key keys="?">these keys</Key>
        <Key keys="x">selects the focused row</Key>
        <Key keys="Shift">with a click or x: selects from the last row to this one</Key>
        {rooms.map(({ name, key }) => (
          <Key key={key} keys={`g ${key}`}>
            {name}
          </Key>
        ))}
      </dl>
      <p className="hint">Turn them off in Settings, for this browser.</p>
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
