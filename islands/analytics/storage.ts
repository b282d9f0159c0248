import { add, readWaiting, type Waiting } from '#islands/analytics/queue'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { randomName } from '#islands/runtime/random-name'

const prefix = 'nocturne.events.'
const tabName = 'nocturne.tab'
/** An open tab renews its stored events at each heartbeat, so older ones belong to a tab that was closed. */
const orphanMs = 5 * 60_000

/** Storage of unsent events for a later page. Each tab has its own entry. */
export function openEventStorage() {
  const tab = readStored('sessionStorage', tabName) ?? randomName()
  writeStored('sessionStorage', tabName, tab)
  const name = prefix + tab
  return {
    /** Returns the stored events of this tab and of tabs that were closed. */
    adopt(): Waiting[] {
      const orphans = namesOf().filter((each) => each !== name && isOrphan(each))
      const stored = [name, ...orphans].flatMap((each) => readWaiting(eventsOf(each)))
      for (const each of orphans) writeStored('localStorage', each, null)
      return add([], stored)
    },
    store(waiting: readonly Waiting[]): void {
      const text = waiting.length > 0 ? `${Date.now()} ${JSON.stringify(waiting)}` : null
      writeStored('localStorage', name, text)
    },
    clear(): void {
      for (const each of namesOf()) writeStored('localStorage', each, null)
    },
  }
}

function namesOf(): string[] {
  try {
    return Object.keys(localStorage).filter((each) => each.startsWith(prefix))
  } catch {
    return []
  }
}

function isOrphan(name: string): boolean {
  const storedAt = Number.parseInt(readStored('localStorage', name) ?? '', 10)
  return !(Date.now() - storedAt < orphanMs)
}

function eventsOf(name: string): string | null {
  const text = readStored('localStorage', name)
  return text === null ? null : text.slice(text.indexOf(' ') + 1)
}
