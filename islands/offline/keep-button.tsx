import { CircleCheck, Download } from 'lucide-react'
import { useEffect } from 'react'
import { forgetOffline, keepOffline, readShelf, useKeptShelf } from '#islands/offline/saving'
import type { KeptItem } from '#islands/offline/store'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** Keeps an item on this device, says how far that is, and takes it away again. Not there where nothing can be kept. */
export function KeepButton({ track }: { track: KeptItem['track'] }) {
  const shelf = useKeptShelf()
  useEffect(() => void readShelf(), [])
  if (!shelf?.owner) return null
  const { id, title } = track.meta
  const share = shelf.saving[id]
  const kept = shelf.kept.find((each) => each.id === id)
  if (share !== undefined)
    return (
      <Button
        size="sm"
        aria-label={`Keeping, ${Math.floor(share * 100)} %: ${title}. Press to stop.`}
        onClick={() => void forgetOffline(id)}
      >
        {`Keeping, ${Math.floor(share * 100)} %`}
      </Button>
    )
  if (kept?.isWhole)
    return (
      <Button
        size="sm"
        aria-label={`Kept offline: ${title}. Press to remove it from this device.`}
        onClick={() => void forgetOffline(id)}
      >
        <Icon of={CircleCheck} size="sm" />
        Kept offline
      </Button>
    )
  return (
    <Button
      size="sm"
      aria-label={`${kept ? 'Go on keeping' : 'Keep offline'}: ${title}`}
      onClick={() => void keepOffline(track)}
    >
      <Icon of={Download} size="sm" />
      {kept ? 'Go on keeping' : 'Keep offline'}
    </Button>
  )
}
