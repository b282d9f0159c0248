/** Where the content comes in: a page is cut here. */
export const contentPlace = '<nocturne-content></nocturne-content>'

/** The end of the part of a page that is sent before its content is read. Soft navigation shows it alone then. */
export const frameEnd = '<!--awaited-->'
