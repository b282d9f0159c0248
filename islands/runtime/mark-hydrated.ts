/**
 * Marks an island as hydrated, for tests. It is a property and no attribute: soft navigation compares the markup
 * with the server's.
 */
export function markHydrated(host: Element): void {
  Object.assign(host, { isHydrated: true })
}
