/**
 * Returns the member for whom the server rendered this page. Empty for a visitor, and in the service worker, which has
 * no page.
 */
export function pageOwner(): string {
  return ('document' in globalThis && document.body.dataset.owner) || ''
}
