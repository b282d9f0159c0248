import { type ChangeEvent, useRef } from 'react'
import { type ImportedItems, passImportedItems, readItems } from '#islands/library/imported-items'
import { visit } from '#islands/navigation/visit'
import { emit } from '#islands/runtime/events'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

/** "Import File": turns a JSON or CSV file into a list to review. Nothing is uploaded until you press Upload All. */
export default function ImportFile({
  onItems,
}: {
  /** Called instead of going to the bulk tab. */
  onItems?: (imported: ImportedItems) => void
}) {
  const input = useRef<HTMLInputElement>(null)

  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    const imported = await readItems(file).catch((error: unknown) => {
      const description = error instanceof Error ? error.message.replace(/^Parse error: /, '') : undefined
      emit('nocturne:toast', { kind: 'bad', title: 'Parse error', description })
      return undefined
    })
    if (imported === undefined) return
    if (imported === null)
      return void emit('nocturne:toast', {
        kind: 'bad',
        title: 'Unsupported format',
        description: 'Please upload a JSON or CSV file',
      })
    const { items } = imported
    emit('nocturne:toast', {
      kind: 'good',
      title: 'File processed',
      description: `Loaded ${items.length} items for review`,
    })
    if (onItems) return onItems(imported)
    passImportedItems(imported)
    await visit(urls.premiumContent({ tab: 'bulk' }))
  }

  return (
    <>
      <input ref={input} type="file" hidden onChange={read} aria-label="A JSON or CSV file" />
      <button className="btn btn-quiet" type="button" onClick={() => input.current?.click()}>
        <Icon name="i-lucide-sm-upload" />
        Import File
      </button>
    </>
  )
}
