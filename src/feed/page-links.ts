/** Links from a page to its neighbours (RFC 5005, section 3), with the names that both RSS and OPDS use. */
export function pageLinks(
  { page, pages }: { page: number; pages: number },
  hrefOf: (page: number) => string,
) {
  return [
    { rel: 'self', href: hrefOf(page) },
    { rel: 'first', href: hrefOf(1) },
    ...(page > 1 ? [{ rel: 'previous', href: hrefOf(page - 1) }] : []),
    ...(page < pages ? [{ rel: 'next', href: hrefOf(page + 1) }] : []),
    { rel: 'last', href: hrefOf(pages) },
  ]
}
