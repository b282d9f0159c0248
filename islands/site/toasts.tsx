import * as RadixToast from '@radix-ui/react-toast'
import { useEffect, useState } from 'react'
import { listen, type ToastMessage } from '#islands/runtime/events'
import { announce } from '#islands/site/show-dialog'
import { Icon } from '#src/ui/icon'

/** How long a toast is shown, and how far a swipe dismisses it. */
const shownMs = 5000
const swipePx = 50

type Shown = ToastMessage & { key: number }

/** The page's messages, one at a time. The loader mounts it with the first one as `request`. */
export default function Toasts({ request }: { request: ToastMessage | null }) {
  const [toast, setToast] = useState<Shown | null>(request && { ...request, key: 0 })
  useEffect(
    () => listen('nocturne:toast', (next) => setToast((last) => ({ ...next, key: (last?.key ?? 0) + 1 }))),
    [],
  )
  return (
    <RadixToast.Provider
      duration={shownMs}
      swipeDirection="right"
      swipeThreshold={swipePx}
      label="Notification"
    >
      {toast && <Toast key={toast.key} toast={toast} onGone={() => setToast(null)} />}
      <RadixToast.Viewport className="toasts" hotkey={['F8']} label="Notifications ({hotkey})" />
    </RadixToast.Provider>
  )
}

function Toast({ toast, onGone }: { toast: Shown; onGone: () => void }) {
  const kind = toast.kind ?? 'good'
  useEffect(() => {
    // The dialog may be drawing an alert with the same words: look for it after that.
    const soon = setTimeout(() => announceInDialog(toast))
    return () => clearTimeout(soon)
  }, [toast])
  return (
    <RadixToast.Root className={`toast toast-${kind}`} onOpenChange={(isOpen) => isOpen || onGone()}>
      <Icon name={kind === 'bad' ? 'i-lucide-circle-alert' : 'i-lucide-circle-check'} />
      <div>
        <RadixToast.Title asChild>
          <strong>{toast.title}</strong>
        </RadixToast.Title>
        {toast.description && (
          <RadixToast.Description asChild>
            <p>{toast.description}</p>
          </RadixToast.Description>
        )}
        {toast.undo && (
          <RadixToast.Action asChild altText="Undo" onClick={toast.undo}>
            <button className="btn btn-quiet btn-sm" type="button">
              Undo
            </button>
          </RadixToast.Action>
        )}
      </div>
      <RadixToast.Close className="icon-btn icon-btn-sm" aria-label="Dismiss">
        <Icon name="i-lucide-sm-x" />
      </RadixToast.Close>
    </RadixToast.Root>
  )
}

/**
 * Radix announces a toast at the end of the body, which an open dialog makes inert: there it is the announcer in the
 * dialog that says it, unless an alert of the dialog has said the same.
 */
function announceInDialog({ title, description }: ToastMessage): void {
  const dialog = document.getElementById('toast-host')?.closest('dialog:modal')
  if (dialog && !dialog.querySelector('[role="alert"]'))
    announce([title, description].filter(Boolean).join('. '))
}
