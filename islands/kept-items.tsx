import { useEffect, useState } from 'react'
import { emit } from '#islands/events'
import { KeptList } from '#islands/offline/kept-list'
import { forgetOffline, readShelf, useKeptShelf } from '#islands/offline/saving'
import { Button } from '#src/ui/button'
import { sizeWords } from '#src/ui/size-words'

type Space = { usedBytes: number; roomBytes: number; isSafe: boolean }

/** What this device keeps for a member, and the room that it takes. */
export default function KeptItems() {
  const shelf = useKeptShelf()
  const [space, setSpace] = useState<Space | null>(null)
  useEffect(() => void readShelf(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept has changed, so the room has
  useEffect(() => void findSpace().then(setSpace, () => {}), [shelf?.kept])

  const removeAll = async () => {
    for (const { id } of shelf?.kept ?? []) await forgetOffline(id)
  }
  const makeSafe = async () => {
    const isSafe = await navigator.storage.persist()
    setSpace((last) => last && { ...last, isSafe })
    if (isSafe) emit('nocturne:toast', { kind: 'good', title: 'What you keep stays until you remove it' })
    else
      emit('nocturne:toast', {
        title: 'Your browser decides for itself',
        description: 'It may clear what is kept when room runs short. Installing the site helps.',
      })
  }
  const kept = shelf?.kept ?? []
  return (
    <section className="panel stack" id="offline" aria-labelledby="offline-title">
      <div className="panel-head">
        <h2 id="offline-title">Kept on this device</h2>
        {kept.length > 0 && (
          <Button kind="ghost" size="sm" onClick={() => void removeAll()}>
            Remove all
          </Button>
        )}
      </div>
      {kept.length > 0 ? (
        <KeptList kept={kept} saving={shelf?.saving ?? {}} />
      ) : (
        <p className="hint">
          Nothing yet. “Keep offline” on a story or a flow keeps its text and its voice here for thirty days
          at a time.
        </p>
      )}
      {space && kept.length > 0 && (
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
