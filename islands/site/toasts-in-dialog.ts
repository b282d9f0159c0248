/**
 * A modal dialog covers everything outside of it, toasts too, and makes them inert: they move into it while it is
 * open.
 */
export function takeToastsInto(dialog: HTMLDialogElement): void {
  const host = document.getElementById('toast-host')
  if (host && host.parentElement !== dialog) dialog.append(host)
}

export function giveToastsBack(): void {
  const host = document.getElementById('toast-host')
  if (host && host.parentElement !== document.body) document.getElementById('announcer')?.before(host)
}
