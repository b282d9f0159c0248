/** What now stands in the place of an element, if that is beyond doubt: the same labels and values, once, and to be seen. */
export function findAgain(element: HTMLElement): HTMLElement | null {
  if (element.isConnected) return element
  const identity = identityOf(element)
  const twins = [...document.querySelectorAll<HTMLElement>(element.localName)].filter(
    (each) => identityOf(each) === identity && each.checkVisibility(),
  )
  return twins.length === 1 ? (twins[0] ?? null) : null
}

const identifying = ['id', 'type', 'name', 'value', 'href', 'aria-label', 'data-edit']

function identityOf(element: HTMLElement): string {
  const { name, prefix } = element.closest<HTMLElement>('nocturne-island')?.dataset ?? {}
  const words = element instanceof HTMLButtonElement && !element.ariaLabel ? element.textContent : ''
  return JSON.stringify([name, prefix, words, ...identifying.map((each) => element.getAttribute(each))])
}
