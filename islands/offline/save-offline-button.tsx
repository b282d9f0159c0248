import { useEffect, useState } from 'react'
import { readOfflineItems, removeOffline, saveOffline, useOfflineItems } from '#islands/offline/saving'
import type { OfflineItem } from '#islands/offline/store'
import { pageOwner } from '#islands/runtime/page-owner'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/**
 * Button to save an item offline, with the progress, and to remove it again. It is hidden if nothing can be saved. The
 * server renders it before that is known.
 */
export function SaveOfflineButton({ track }: { track: OfflineItem['track'] }) {
  const offline = useOfflineItems()
  const [isPossible, setPossible] = useState(true)
  useEffect(() => {
    setPossible('indexedDB' in window && pageOwner() !== '')
    void readOfflineItems()
  }, [])
  if (!isPossible) return null
  const { id, title } = track.meta
  const share = offline?.saving[id]
  const saved = offline?.items.find((each) => each.id === id)
  if (share !== undefined)
    return (
      <Button
        size="sm"
        aria-label={`Keeping, ${Math.floor(share * 100)} %: ${title}. Press to stop.`}
        onClick={() => void removeOffline(id)}
      >
        {`Keeping, ${Math.floor(share * 100)} %`}
      </Button>
    )
  if (saved?.isWhole)
    return (
      <Button
        size="sm"
        aria-label={`Kept offline: ${title}. Press to remove it from this device.`}
        onClick={() => void removeOffline(id)}
      >
        <Icon name="i-lucide-sm-circle-check" />
        Kept offline
      </Button>
    )
  return (
    <Button
      size="sm"
      aria-label={`${saved ? 'Go on keeping' : 'Keep offline'}: ${title}`}
      onClick={() => void saveOffline(track)}
    >
      <Icon name="i-lucide-sm-download" />
      {saved ? 'Go on keeping' : 'Keep offline'}
    </Button>
  )
}
