/**
 * Parses a fetched page. The parser turns noscript content into elements: they are removed, and an empty noscript
 * stays, since an island around it expects it there.
 */
export function parsePage(markup: string): Document {
  const page = new DOMParser().parseFromString(markup, 'text/html')
  for (const each of page.querySelectorAll('noscript')) each.replaceChildren()
  return page
}
