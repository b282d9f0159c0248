import { useState } from 'react'
import { hasKeys, storeKeys } from '#islands/player/preferences'
import { SettingSwitch } from '#src/ui/switch'

/**
 * Whether single keys control the player. The setting is stored per browser, because keyboards differ between devices.
 */
export function KeysSetting() {
  const [isOn, setOn] = useState(hasKeys)
  return (
    <SettingSwitch
      title="Single-key shortcuts"
      words="Space or K plays and pauses, the arrow keys skip, U undoes a jump. In this browser."
      checked={isOn}
      onChange={({ target }) => {
        setOn(target.checked)
        storeKeys(target.checked)
      }}
    />
  )
}
