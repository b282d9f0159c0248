/**
 * Returns a function that finds what stands in the place of an element by then, if that is beyond doubt: the same labels
 * and values, once, and to be seen. They are read now, since an island that is unmounted keeps none of its elements.
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
