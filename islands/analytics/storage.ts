import { add, readWaiting, type Waiting } from '#islands/analytics/queue'
import { keepStored, readStored } from '#islands/browser-storage'
import { randomName } from '#islands/random-name'

const prefix = 'nocturne.events.'
const tabName = 'nocturne.tab'
/** A tab that lives renews what it keeps at each heartbeat; what is older belongs to one that is gone. */
const orphanMs = 5 * 60_000

/** What waits to be sent, kept for a page that comes later: each tab has its own. */
export function openEventStorage() {
  const tab = readStored('sessionStorage', tabName) ?? randomName()
  keepStored('sessionStorage', tabName, tab)
  const name = prefix + tab
  return {
    /** What this tab kept before, and what tabs that are gone have left. */
    adopt(): Waiting[] {
      const orphans = namesOf().filter((each) => each !== name && isOrphan(each))
      const kept = [name, ...orphans].flatMap((each) => readWaiting(eventsOf(each)))
      for (const each of orphans) keepStored('localStorage', each, null)
      return add([], kept)
    },
    keep(waiting: readonly Waiting[]): void {
      const text = waiting.length > 0 ? `${Date.now()} ${JSON.stringify(waiting)}` : null
      keepStored('localStorage', name, text)
    },
    clear(): void {
      for (const each of namesOf()) keepStored('localStorage', each, null)
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
  const keptAt = Number.parseInt(readStored('localStorage', name) ?? '', 10)
  return !(Date.now() - keptAt < orphanMs)
}

function eventsOf(name: string): string | null {
  const text = readStored('localStorage', name)
  return text === null ? null : text.slice(text.indexOf(' ') + 1)
}
