import { useEffect, useRef, useState } from 'react'
import { emit } from '#islands/events'
import { ItemForm } from '#islands/item-form'
import { failureWords, operatorCall } from '#islands/operator-call'
import { isPlainPress } from '#islands/plain-press'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { reload } from '#islands/visit'
import type { PremiumItem } from '#src/story/draft-schema'
import { Dialog } from '#src/ui/dialog'
import { urls } from '#src/urls'

/**
 * The edit dialog of the library: a press on a card opens it, and so does an address that names an item. What
 * was changed is on the page behind when it closes.
 */
export default function ItemEditor({ edit }: { edit: string | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [item, setItem] = useState<PremiumItem | null>(null)
  const isChanged = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one listener for the page; the state setters do not change
  useEffect(() => {
    if (edit) void open(edit)
    const onPress = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || !isPlainPress(event)) return
      const id = event.target.closest<HTMLElement>('[data-edit]')?.dataset.edit
      if (!id) return
      event.preventDefault()
      void open(id)
    }
    // Before soft navigation hears of it.
    document.addEventListener('click', onPress, { capture: true })
    return () => document.removeEventListener('click', onPress, { capture: true })
  }, [])
  useEffect(() => {
    if (!item || !dialog.current || dialog.current.open) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }, [item])

  const open = async (id: string) => {
    const found = await operatorCall(urls.apiPremiumItem(id)).catch((error) => {
      const description = failureWords(error, 'Please try again.')
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description })
      return null
    })
    if (found) setItem(found as PremiumItem)
  }

  const onClose = () => {
    giveToastsBack()
    setItem(null)
    if (isChanged.current) void reload()
    isChanged.current = false
  }
  const onChanged = (changed: PremiumItem | null) => {
    isChanged.current = true
    if (changed) setItem(changed)
    else dialog.current?.close()
  }

  return (
    <Dialog id="item-editor" ref={dialog} title="Edit content" width="wide" onClose={onClose}>
      {item && (
        <ItemForm key={item.id} item={item} onChanged={onChanged} onCancel={() => dialog.current?.close()} />
      )}
    </Dialog>
  )
}
