/**
 * Opens a modal dialog. It covers everything outside of it, toasts and the announcer too, and makes them inert: they
 * move into it while it is open.
 */
export function showDialog(dialog: HTMLDialogElement | null): void {
  if (!dialog) return
  if (!dialog.open) {
    // biome-ignore lint/plugin: the one place
    dialog.showModal()
    // Before whoever removes the dialog at its close, and the toasts with it.
    dialog.addEventListener('close', () => giveToastsBack(), { once: true, capture: true })
  }
  takeToastsInto(dialog)
}

function takeToastsInto(dialog: HTMLDialogElement): void {
  const host = document.getElementById('toast-host')
  if (host && host.parentElement !== dialog) dialog.append(host)
}

/** The dialog was closed: toasts go to the one beneath it, or to the page. Nothing of `leaving` takes them. */
export function giveToastsBack(leaving?: Element): void {
  const host = document.getElementById('toast-host')
  if (!host) return
  const open = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')]
  const beneath = open.findLast((dialog) => !leaving?.contains(dialog))
  if (beneath) takeToastsInto(beneath)
  else if (host.closest('dialog')) document.body.append(host)
}

/**
 * Has screen readers say something. The region is in the page from the start, since one that comes together with its
 * words is not announced by all of them, and moves with the toasts.
 */
export function announce(words: string): void {
  document.getElementById('announcer')?.replaceChildren(words)
}
