/**
 * Marks an island as hydrated and dispatches `nocturne:hydrated`, which replays earlier presses (press-replay.ts). The
 * mark is a property instead of an attribute, because soft navigation compares the markup with the server's.
 */
export function markHydrated(host: Element): void {
  Object.assign(host, { isHydrated: true })
  host.dispatchEvent(new Event('nocturne:hydrated', { bubbles: true }))
}
