/** Whether a text has a control character. Browsers drop some from addresses before they parse them. */
const hasControl = (text: string) => [...text].some((character) => character < ' ' || character === '\u007f')

/**
 * A path of this site that a person may be sent back to; anything else becomes "/". No `//`, no `\`, no
 * control characters: each of them can name another site.
 */
export function safePath(path: string | null | undefined): string {
  if (
    !path?.startsWith('/') ||
    path.startsWith('//') ||
    path.includes('\\') ||
    hasControl(path) ||
    path.length > 2_000
  )
    return '/'
  const url = URL.parse(path, 'http://here.invalid')
  return url?.origin === 'http://here.invalid' && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : '/'
}
