/**
 * Parses a fetched page. The parser turns noscript content into elements: they become the text that they are in a page
 * with scripts, so that equal pages compare as equal.
 */
export function parsePage(markup: string): Document {
  const page = new DOMParser().parseFromString(markup, 'text/html')
  for (const each of page.querySelectorAll('noscript')) each.textContent = each.innerHTML
  return page
}
