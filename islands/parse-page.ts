/**
 * A fetched page. What is meant for browsers without scripts becomes elements in such a parser: it goes, and its
 * place stays, since an island that stands around it expects it there.
 */
export function parsePage(markup: string): Document {
  const page = new DOMParser().parseFromString(markup, 'text/html')
  for (const each of page.querySelectorAll('noscript')) each.replaceChildren()
  return page
}
