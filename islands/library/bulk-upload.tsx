import { type RefObject, useEffect, useRef, useState } from 'react'
import ImportFile from '#islands/library/import-file'
import {
  blankItem,
  type ImportedItems,
  takeImportedItems,
  type UploadItem,
} from '#islands/library/imported-items'
import { withWarnings } from '#islands/library/with-warnings'
import { isAskedToSignIn } from '#islands/member/after-sign-in'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { SheetNotes } from '#src/import/wizard/sheet-notes'
import { UploadBar, UploadRow } from '#src/library/upload-list'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** Items in one request. Small, because the progress counts items that the server has accepted. */
const perCall = 10

/** Bulk Upload: an editable list, sent in small batches. Accepted items leave the list, the others stay. */
export default function BulkUpload() {
  const { items, setItems, imported, addImported, change } = useUploadList()
  useUnsaved(items.length > 0)
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const isStopped = useRef(false)
  const heading = useRef<HTMLHeadingElement>(null)

  const uploadAll = async (those: readonly UploadItem[]) => {
    const ready = those.filter(({ title, content }) => title.trim() && content.trim())
    const lacking = those.filter((item) => !ready.includes(item))
    for (const { key } of lacking)
      change(key, { state: 'failed', problem: 'An item needs a title and content. Write what is missing.' })
    if (ready.length === 0) return fail('Every item needs a title and content.')
    isStopped.current = false
    setProgress({ done: 0, total: ready.length })
    let sent = 0
    let uploaded = 0
    let failed = lacking.length
    const said: string[] = []
    try {
      for (let from = 0; from < ready.length && !isStopped.current; from += perCall) {
        const batch = ready.slice(from, from + perCall)
        const { failures, warnings } = await upload(batch)
        for (const [at, { key }] of batch.entries()) {
          const problem = failures.get(at)
          change(key, problem === undefined ? { state: 'done' } : { state: 'failed', problem })
        }
        said.push(...warnings)
        failed += failures.size
        uploaded += batch.length - failures.size
        sent += batch.length
        setProgress({ done: sent, total: ready.length })
      }
      emit('nocturne:toast', {
        kind: failed > 0 ? 'bad' : 'good',
        title: 'Bulk upload complete',
        description: withWarnings(
          `${pluralize(uploaded, 'item')} uploaded, ${failed.toLocaleString('en')} failed`,
          said,
        ),
      })
    } catch (error) {
      // Items that were not sent are sent once the token was entered again.
      isAskedToSignIn(error, () => void uploadAll(ready.slice(sent)))
      fail(problemOf(error, 'Nothing more was uploaded. Please try again.').message)
    }
    setItems((all) => all.filter(({ state }) => state !== 'done'))
    setProgress(null)
  }

  const fail = (description: string) =>
    void emit('nocturne:toast', { kind: 'bad', title: 'Bulk upload failed', description })

  return (
    <>
      <UploadHead
        heading={heading}
        count={items.length}
        imported={imported}
        onImport={addImported}
        onAdd={() => setItems((all) => [...all, blankItem()])}
      />
      {imported && <SheetNotes notes={imported.notes} />}
      {items.length === 0 ? (
        <div className="empty">
          <p className="lead">Nothing to upload yet. Add an item, or import a JSON or CSV file.</p>
        </div>
      ) : (
        <ol className="upload-list">
          {items.map((item, at) => (
            <UploadRow
              key={item.key}
              number={at + 1}
              item={item}
              onChange={(changed) => change(item.key, changed)}
              onRemove={() => {
                setItems((all) => all.filter(({ key }) => key !== item.key))
                // The button is removed with its item.
                heading.current?.focus()
              }}
            />
          ))}
        </ol>
      )}
      <UploadBar
        count={items.length}
        progress={progress}
        onUpload={() => uploadAll(items)}
        onStop={() => {
          isStopped.current = true
        }}
      />
    </>
  )
}

/** The list, which an imported file may have filled. */
function useUploadList() {
  const [items, setItems] = useState<UploadItem[]>([])
  const [imported, setImported] = useState<Omit<ImportedItems, 'items'> | null>(null)

  const addImported = ({ items: more, ...rest }: ImportedItems) => {
    setItems((all) => [...all, ...more])
    setImported(rest)
  }

  useEffect(() => {
    const brought = takeImportedItems()
    if (!brought) return
    setItems(brought.items)
    setImported(brought)
  }, [])

  const change = (key: string, changed: Partial<UploadItem>) =>
    setItems((all) =>
      all.map((item) =>
        item.key === key ? { ...item, problem: undefined, state: 'waiting', ...changed } : item,
      ),
    )
  return { items, setItems, imported, addImported, change }
}

function UploadHead({
  heading,
  count,
  imported,
  onImport,
  onAdd,
}: {
  heading: RefObject<HTMLHeadingElement | null>
  count: number
  imported: Omit<ImportedItems, 'items'> | null
  onImport: (imported: ImportedItems) => void
  onAdd: () => void
}) {
  return (
    <div className="filters">
      <h2 className="title-md" ref={heading} tabIndex={-1}>
        {pluralize(count, 'item')} {imported && <span className="meta">from {imported.fileName}</span>}
      </h2>
      <div className="filters-end">
        <ImportFile onItems={onImport} />
        <Button onClick={onAdd}>
          <Icon name="i-lucide-sm-plus" />
          Add Item
        </Button>
      </div>
    </div>
  )
}

/** Sends some items. Returns the problems by position in the batch, and the guidelines' warnings about the others. */
async function upload(
  batch: readonly UploadItem[],
): Promise<{ failures: Map<number, string>; warnings: string[] }> {
  const items = batch.map(({ key, state, problem, ...item }) => item)
  const { failures, warnings } = await operatorApi('POST /api/premium-content/bulk', { body: { items } })
  return { failures: new Map(failures.map(({ index, error }) => [index, error])), warnings }
}
