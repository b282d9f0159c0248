import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '#src/env'
import { limited } from '#src/http-client/limited'
import { type Family, familiesOfProcess } from '#src/process/metrics'

/** The time that a process has to answer. One that hangs is left out of the metrics and does not delay the others. */
const answerMs = 2_000

/**
 * Shares the metrics of this process with the other processes of the machine, through a socket in the supervisor's
 * folder: a scraper reaches any one of them, which answers for all.
 */
export function shareMetrics({ processNumber, processFolder }: Env): { stop(): Promise<void> } {
  if (!processFolder) return { stop: async () => {} }
  const unix = socketOf(processFolder, processNumber)
  // A killed process with this number may have left its socket behind.
  rmSync(unix, { force: true })
  const server = Bun.serve({ unix, fetch: () => Response.json(familiesOfProcess()) })
  return { stop: () => server.stop(true) }
}

/**
 * The metrics of this process, or of all processes. In the latter case each sample is labelled with the number of its
 * process.
 */
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
    const families: Family[] = await limited(response).json()
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
