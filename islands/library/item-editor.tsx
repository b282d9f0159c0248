import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { DiscardQuestion, useDiscardQuestion } from '#islands/library/discard-question'
import { ItemForm } from '#islands/library/item-form'
import { isPlainPress } from '#islands/navigation/plain-press'
import { reload } from '#islands/navigation/visit'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { showDialog } from '#islands/site/show-dialog'
import type { PremiumItem } from '#src/story/draft-schema'
import { Dialog } from '#src/ui/dialog'

/**
 * Edit dialog of the library. It is opened by a press on a card, or by an address that names an item. The page behind
 * shows the changes when the dialog closes.
 */
export default function ItemEditor({ edit }: { edit: string | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [item, setItem] = useState<PremiumItem | null>(null)
  const isChanged = useRef(false)
  const { start, end, askToClose, question } = useDiscardQuestion(dialog)

  const open = useEffectEvent(async (id: string) => {
    const found = await orToast(() => operatorApi('GET /api/premium-content/:id', { path: { id } }), {
      title: 'Error',
      otherwise: 'Please try again.',
    })
    if (found) setItem(found)
  })
  useEffect(() => {
    if (edit) void open(edit)
    const onPress = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || !isPlainPress(event)) return
      const id = event.target.closest<HTMLElement>('[data-edit]')?.dataset.edit
      if (!id) return
      event.preventDefault()
      void open(id)
    }
    // In the capture phase, before soft navigation handles the click.
    document.addEventListener('click', onPress, { capture: true })
    return () => document.removeEventListener('click', onPress, { capture: true })
  }, [edit])
  const onOpened = useEffectEvent(start)
  const isEditing = item !== null
  // Not at each change of the item: one that is saved while the dialog closes would open it again, empty.
  useEffect(() => {
    if (!isEditing || !dialog.current || dialog.current.open) return
    showDialog(dialog.current)
    onOpened()
  }, [isEditing])

  const onClose = () => {
    end()
    setItem(null)
    if (isChanged.current) void reload()
    isChanged.current = false
  }
  const onChanged = (changed: PremiumItem) => {
    isChanged.current = true
    setItem(changed)
  }
  const onDone = () => {
    isChanged.current = true
    dialog.current?.close()
  }

  return (
    <>
      <Dialog
        id="item-editor"
        ref={dialog}
        title="Edit content"
        width="wide"
        onClose={onClose}
        onAskedToClose={askToClose}
      >
        {item && (
          <ItemForm key={item.id} item={item} onChanged={onChanged} onDone={onDone} onCancel={askToClose} />
        )}
      </Dialog>
      <DiscardQuestion {...question} />
    </>
  )
}
