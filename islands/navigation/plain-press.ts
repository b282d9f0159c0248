/** Whether a click opens its link in this tab: first button, no modifier key, default not prevented. */
export function isPlainPress(event: MouseEvent): boolean {
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !isModified && event.button === 0 && !event.defaultPrevented
}
