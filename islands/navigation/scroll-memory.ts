import { readStored, writeStored } from '#islands/runtime/browser-storage'

const storageKey = 'nocturne.scroll'
const positions = readPositions()

/** The scroll position of each history entry. It survives full page loads. */
export const scrollMemory = {
  save(entry: string): void {
    positions.set(entry, scrollY)
  },
  restore(entry: string): boolean {
    const position = positions.get(entry)
    if (position === undefined) return false
    scrollTo(0, position)
    return true
  },
  /** Call it before the document unloads: scroll restoration is manual, so the next document needs the positions. */
  store(): void {
    writeStored('sessionStorage', storageKey, JSON.stringify([...positions].slice(-50)))
  },
}

function readPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(readStored('sessionStorage', storageKey) ?? '[]'))
  } catch {
    return new Map()
  }
}
