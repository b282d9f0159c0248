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
  const beneath = open.filter((dialog) => !leaving?.contains(dialog)).at(-1)
  if (beneath) takeToastsInto(beneath)
  else if (host.parentElement !== document.body) document.body.append(host)
}
