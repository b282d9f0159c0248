/** For whom the server has drawn this page; empty for a visitor, and in the service worker, which has no page. */
export function pageOwner(): string {
  return ('document' in globalThis && document.body.dataset.owner) || ''
}
