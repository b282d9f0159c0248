import * as RadixToast from '@radix-ui/react-toast'
import { useEffect, useState } from 'react'
import { listen, type ToastMessage } from '#islands/runtime/events'
import { announce } from '#islands/site/show-dialog'
import { Icon } from '#src/ui/icon'

/** How long a toast is shown, and how far a swipe must go to dismiss it. */
const shownMs = 5000
const swipePx = 50

type Shown = ToastMessage & { key: number }

/** The page's toasts, shown one at a time. The loader mounts it with the first one as `request`. */
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
    // The dialog may be about to render an alert with the same text, so this looks for it afterwards.
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
 * Announces a toast inside of an open dialog. Radix announces at the end of the body, which the dialog makes inert, so
 * the dialog's announcer is used instead, unless an alert in the dialog already says the same.
 */
function announceInDialog({ title, description }: ToastMessage): void {
  const dialog = document.getElementById('toast-host')?.closest('dialog:modal')
  if (dialog && !dialog.querySelector('[role="alert"]'))
    announce([title, description].filter(Boolean).join('. '))
}
