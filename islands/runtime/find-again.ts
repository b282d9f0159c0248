/**
 * Returns a function that finds the element again later, or the one that has replaced it. A replacement counts only if
 * it is certain: the single visible element with the same labels and values. Those are read now, because an island
 * loses its elements when it is unmounted.
 */
export function finderOf(element: HTMLElement): () => HTMLElement | null {
  const identity = identityOf(element)
  return () => {
    if (element.isConnected) return element
    const twins = [...document.querySelectorAll<HTMLElement>(element.localName)].filter(
      (each) => identityOf(each) === identity && each.checkVisibility(),
    )
    return twins.length === 1 ? (twins[0] ?? null) : null
  }
}

const identifying = ['id', 'type', 'name', 'value', 'href', 'aria-label', 'data-edit']

function identityOf(element: HTMLElement): string {
  const { name, prefix } = element.closest<HTMLElement>('nocturne-island')?.dataset ?? {}
  const words = element instanceof HTMLButtonElement && !element.ariaLabel ? element.textContent : ''
  return JSON.stringify([name, prefix, words, ...identifying.map((each) => element.getAttribute(each))])
}
