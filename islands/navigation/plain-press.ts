/** A press that means this tab: no modifier, the first button, default not prevented. */
export function isPlainPress(event: MouseEvent): boolean {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !isModified && event.button === 0 && !event.defaultPrevented
}
