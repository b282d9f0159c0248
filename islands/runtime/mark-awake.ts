/** Says that an island is there. No attribute: soft navigation compares the markup with the server's. */
export function markAwake(host: Element): void {
  Object.assign(host, { isAwake: true })
}
