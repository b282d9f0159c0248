/**
 * Marks an island as hydrated, and says so: presses from before are done again then (press-replay.ts). The mark is a
 * property and no attribute, since soft navigation compares the markup with the server's.
 */
export function markHydrated(host: Element): void {
  Object.assign(host, { isHydrated: true })
  host.dispatchEvent(new Event('nocturne:hydrated', { bubbles: true }))
}
