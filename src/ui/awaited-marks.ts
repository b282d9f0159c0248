/** Placeholder of the content that follows later. A page is cut here. */
export const contentPlace = '<nocturne-content></nocturne-content>'

/**
 * The end of the part of a page that is sent before its content is read. Soft navigation shows that part alone if the
 * rest does not follow soon.
 */
export const frameEnd = '<!--awaited-->'
