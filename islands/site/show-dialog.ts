/**
 * Opens a modal dialog. A modal dialog makes everything outside of it inert, including toasts and the announcer, so
 * these move into it while it is open.
 */
export function showDialog(dialog: HTMLDialogElement | null): void {
  if (!dialog) return
  if (!dialog.open) {
    // biome-ignore lint/plugin: the one place
    dialog.showModal()
    // In the capture phase, before another listener removes the dialog together with the toasts. One listener for all
    // times that it opens: a close event can come after the dialog is open again, and more than one may be on its way.
    dialog.addEventListener('close', onClose, { capture: true })
  }
  takeToastsInto(dialog)
}

function onClose(): void {
  giveToastsBack()
}

function takeToastsInto(dialog: HTMLDialogElement): void {
  const host = document.getElementById('toast-host')
  if (host && host.parentElement !== dialog) dialog.append(host)
}

/**
 * Moves the toasts out of a closed dialog, into the one beneath it or the page, but not into anything inside of
 * `leaving`.
 */
export function giveToastsBack(leaving?: Element): void {
  const host = document.getElementById('toast-host')
  if (!host) return
  const open = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')]
  const beneath = open.findLast((dialog) => !leaving?.contains(dialog))
  if (beneath) takeToastsInto(beneath)
  else if (host.closest('dialog')) document.body.append(host)
}

/**
 * Announces a text to screen readers. The live region exists from the start, because some screen readers do not
 * announce one that is inserted together with its text. It moves with the toasts.
 */
export function announce(words: string): void {
  document.getElementById('announcer')?.replaceChildren(words)
}
