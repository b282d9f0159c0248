/** Says that an island is there. No attribute: soft navigation compares the markup with the server's. */
export function markHydrated(host: Element): void {
  Object.assign(host, { isHydrated: true })
}
