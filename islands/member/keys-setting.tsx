import { useId, useState } from 'react'
import { hasKeys, storeKeys } from '#islands/player/preferences'
import { Switch } from '#src/ui/switch'

/** Whether single keys control the player, in this browser: keyboards differ from device to device. */
export function KeysSetting() {
  const id = useId()
  const [isOn, setOn] = useState(hasKeys)
  return (
    <label className="setting" htmlFor={id}>
      <span>
        <b className="label">Single-key shortcuts</b>
        <span className="hint">
          Space or K plays and pauses, the arrows skip, U takes a jump back. In this browser.
        </span>
      </span>
      <Switch
        id={id}
        checked={isOn}
        onChange={({ target }) => {
          setOn(target.checked)
          storeKeys(target.checked)
        }}
      />
    </label>
  )
}
