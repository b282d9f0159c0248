import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '#src/env'
import { type Family, familiesOfProcess } from '#src/process/metrics'

/** A process that hangs is missing from the metrics, and does not keep them from the others. */
const answerMs = 2_000

/**
 * Of several processes on one machine any may be asked for metrics: each shows its own to the others, at a socket in
 * the supervisor's folder.
 */
export function shareMetrics({ processNumber, processFolder }: Env): { stop(): Promise<void> } {
  if (!processFolder) return { stop: async () => {} }
  const unix = socketOf(processFolder, processNumber)
  // Left by a process of this number that was killed.
  rmSync(unix, { force: true })
  const server = Bun.serve({ unix, fetch: () => Response.json(familiesOfProcess()) })
  return { stop: () => server.stop(true) }
}

/** The counted metrics of this process; of all, each sample with the number of its process, where there are several. */
export async function familiesOfAll({ processes, processFolder }: Env): Promise<Family[]> {
  if (!processFolder) return familiesOfProcess()
  const numbers = Array.from({ length: processes }, (_, at) => at + 1)
  const all = await Promise.all(numbers.map((number) => familiesOf(processFolder, number)))
  return [...Map.groupBy(all.flat(), ({ name }) => name).values()].flatMap((same) => {
    const [first] = same
    return first ? [{ ...first, samples: same.flatMap(({ samples }) => samples) }] : []
  })
}

async function familiesOf(folder: string, number: number): Promise<Family[]> {
  try {
    const response = await fetch('http://process/', {
      unix: socketOf(folder, number),
      signal: AbortSignal.timeout(answerMs),
    })
    const families: Family[] = await response.json()
    return families.map((family) => ({
      ...family,
      samples: family.samples.map((sample) => ({
        ...sample,
        labels: { ...sample.labels, process: String(number) },
      })),
    }))
  } catch {
    return []
  }
}

const socketOf = (folder: string, number: number) => join(folder, `${number}.sock`)
