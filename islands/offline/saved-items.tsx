import { useEffect, useState } from 'react'
import { OfflineItemList } from '#islands/offline/offline-item-list'
import { readOfflineItems, removeOffline, useOfflineItems } from '#islands/offline/saving'
import { emit } from '#islands/runtime/events'
import { Button } from '#src/ui/button'
import { sizeWords } from '#src/ui/size-words'

type Space = { usedBytes: number; roomBytes: number; isSafe: boolean }

/** The items that this device has saved for a member, and their size. */
export default function SavedItems() {
  const offline = useOfflineItems()
  const [space, setSpace] = useState<Space | null>(null)
  useEffect(() => void readOfflineItems(), [])
  const items = offline?.items
  useEffect(() => {
    if (items?.length) void findSpace().then(setSpace, () => {})
  }, [items])

  const removeAll = async () => {
    for (const { id } of items ?? []) await removeOffline(id)
  }
  const makeSafe = async () => {
    const isSafe = await navigator.storage.persist()
    setSpace((last) => last && { ...last, isSafe })
    if (isSafe) emit('nocturne:toast', { kind: 'good', title: 'What you keep stays until you remove it' })
    else
      emit('nocturne:toast', {
        title: 'Your browser declined',
        description: 'It may delete what is kept when space runs short. Installing the site helps.',
      })
  }
  const hasItems = items !== undefined && items.length > 0
  return (
    <section className="panel stack" id="offline" aria-labelledby="offline-title">
      <div className="panel-head">
        <h2 id="offline-title">Kept on this device</h2>
        {hasItems && (
          <Button kind="ghost" size="sm" onClick={() => void removeAll()}>
            Remove all
          </Button>
        )}
      </div>
      {hasItems ? (
        <OfflineItemList items={items} saving={offline?.saving ?? {}} />
      ) : (
        <p className="hint">
          Nothing yet. “Keep offline” on a story or flow keeps its text and audio here for thirty days at a
          time.
        </p>
      )}
      {space && hasItems && (
        <div className="setting">
          <span>
            <b className="label">Space</b>
            <span className="hint">{`${sizeWords(space.usedBytes)} of ${sizeWords(space.roomBytes)}`}</span>
          </span>
          {!space.isSafe && (
            <Button size="sm" onClick={() => void makeSafe()}>
              Keep it safe
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

async function findSpace(): Promise<Space> {
  const [{ usage = 0, quota = 0 }, isSafe] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  return { usedBytes: usage, roomBytes: quota, isSafe }
}
