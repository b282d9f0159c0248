import type { Tally } from '../client'
import type { Random } from '../random'

/** The clients' view from a fault until everything was ready again. */
export type Sight = {
  name: string
  seconds: number
  requests: number
  retried: number
  failed: number
  /** The longest time between two good responses to any client. */
  longestGapSeconds: number
  /** Whether everything became ready again, and nobody saw a forbidden failure. */
  isSurvived: boolean
}

export async function seenDuring(
  name: string,
  tally: Tally,
  work: () => Promise<void>,
): Promise<Omit<Sight, 'isSurvived'>> {
  const { requests, retried, failed, longestGapMs } = tally
  const startedAt = performance.now()
  tally.longestGapMs = 0
  await work()
  const sight = {
    name,
    seconds: (performance.now() - startedAt) / 1_000,
    requests: tally.requests - requests,
    retried: tally.retried - retried,
    failed: tally.failed - failed,
    longestGapSeconds: tally.longestGapMs / 1_000,
  }
  tally.longestGapMs = Math.max(tally.longestGapMs, longestGapMs)
  return sight
}

export function describeSights(sights: readonly Omit<Sight, 'isSurvived'>[]): string {
  const rows = sights.map(({ name, ...sight }) =>
    [
      name.padEnd(50),
      sight.seconds.toFixed(1),
      sight.requests,
      sight.retried,
      sight.failed,
      sight.longestGapSeconds.toFixed(1),
    ]
      .map((cell) => String(cell).padStart(11))
      .join(' '),
  )
  const head = ['what died'.padEnd(50), 'seconds', 'requests', 'once more', 'failed', 'gap, s']
  return [head.map((cell) => cell.padStart(11)).join(' '), ...rows].join('\n')
}

/** Returns the list in random order (Fisher and Yates). */
export function shuffle<T>(random: Random, list: readonly T[]): T[] {
  const left = [...list]
  return list.map(() => {
    const [one] = left.splice(random.whole(0, left.length - 1), 1)
    if (one === undefined) throw new Error('Nothing was left.')
    return one
  })
}
