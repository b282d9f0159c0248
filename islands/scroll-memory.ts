const storageKey = 'nocturne.scroll'
const positions = new Map<string, number>(readStored())

/** Where each entry of the history was left, through full loads too. */
export const scrollMemory = {
  keep(entry: string): void {
    positions.set(entry, scrollY)
  },
  restore(entry: string): boolean {
    const position = positions.get(entry)
    if (position === undefined) return false
    scrollTo(0, position)
    return true
  },
  /** Before the document goes: browsers leave the scroll to us, so the next document has to know. */
  store(): void {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify([...positions].slice(-50)))
    } catch {
      // Storage is full or closed: the next page begins at its top.
    }
  },
}

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPosition) : []
  } catch {
    return []
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}
