/**
 * Has screen readers say something. The region is in the page from the start, since one that comes together with its
 * words is not announced by all of them, and stands in the open dialog, as toasts do (show-dialog.ts).
 */
export function announce(words: string): void {
  document.getElementById('announcer')?.replaceChildren(words)
}
