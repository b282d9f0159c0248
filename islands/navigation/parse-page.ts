/**
 * Parses a fetched page. DOMParser parses the content of noscript as elements; a page with scripts has it as text. It
 * is converted to text here, so that equal pages compare as equal.
 */
export function parsePage(markup: string): Document {
  const page = new DOMParser().parseFromString(markup, 'text/html')
  for (const each of page.querySelectorAll('noscript')) each.textContent = each.innerHTML
  return page
}
