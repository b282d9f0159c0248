/** A press that means this tab: no modifier, the first button, and nobody answered it yet. */
export function isPlainPress(event: MouseEvent): boolean {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !isModified && event.button === 0 && !event.defaultPrevented
}
