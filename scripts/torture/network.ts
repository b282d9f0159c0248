import { untilReady } from '#scripts/until-ready'
import { elevenLabsAnswer, standIn } from '#src/narration/voice/testing-provider'
import { type FaultProxy, openFaultProxy } from './fault-proxy'
import type { Random } from './random'
import type { Outcome } from './report'
import { type Strike, underLoad } from './under-load'

/** How often a line is cut, and how long it has other faults. */
type ProviderFaults = { cuts: number; slowSeconds: number; awaySeconds: number }
type DatabaseFaults = ProviderFaults & { silentSeconds: number }

/**
 * Degrades the network between program and database: it is cut in the middle of data, slow, silent, and unavailable.
 * After each fault the program has to become ready by itself.
 */
export async function breakDatabaseLine(random: Random, faults: DatabaseFaults): Promise<Outcome> {
  const { cuts, slowSeconds, silentSeconds, awaySeconds } = faults
  const lines: FaultProxy[] = []
  const onLine =
    (fault: (line: FaultProxy) => Promise<void>): Strike =>
    async ({ origin }) => {
      for (const line of lines) {
        await fault(line)
        line.behave({ kind: 'good' })
      }
      await untilReady(origin)
    }
  const strikes = [
    ...Array.from({ length: cuts }, () => onLine(async (line) => line.cut())),
    onLine(async (line) => {
      line.behave({ kind: 'slow', delayMs: 100 })
      await Bun.sleep(slowSeconds * 1_000)
    }),
    onLine(async (line) => {
      line.behave({ kind: 'silent' })
      await Bun.sleep(silentSeconds * 1_000)
      line.cut()
    }),
    onLine(async (line) => {
      line.behave({ kind: 'away' })
      await Bun.sleep(awaySeconds * 1_000)
    }),
  ]
  const through = async (url: string) => {
    const { searchParams } = new URL(url)
    const path = `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5432}`
    const line = await openFaultProxy({ path })
    lines.push(line)
    return `postgres://nocturne@127.0.0.1:${line.port}/nocturne`
  }
  try {
    const note = `${cuts} cuts, ${slowSeconds} s slow, ${silentSeconds} s silent, ${awaySeconds} s away`
    return await underLoad({ part: 'line to the database', random, strikes, target: { through }, note })
  } finally {
    for (const line of lines) line.close()
  }
}

/**
 * Degrades the line to the provider of voices: it is cut, slow, silent and unavailable. Narrations must still complete,
 * each once.
 */
export async function breakProviderLine(random: Random, faults: ProviderFaults): Promise<Outcome> {
  const { cuts, slowSeconds, awaySeconds } = faults
  const provider = standIn(({ body }) => elevenLabsAnswer(String(body.text ?? '')))
  const line = await openFaultProxy({ port: Number(new URL(provider.url).port) })
  const strikes: Strike[] = [
    ...Array.from({ length: cuts }, (): Strike => async () => line.cut()),
    async () => {
      line.behave({ kind: 'slow', delayMs: 200 })
      await Bun.sleep(slowSeconds * 1_000)
      line.behave({ kind: 'away' })
      await Bun.sleep(awaySeconds * 1_000)
      line.behave({ kind: 'good' })
    },
  ]
  try {
    return await underLoad({
      part: 'line to the voices',
      random,
      strikes,
      target: {
        environment: {
          ELEVENLABS_API_KEY: 'a key for the torture',
          ELEVENLABS_BASE_URL: `http://127.0.0.1:${line.port}`,
        },
      },
      note: `${cuts} cuts, ${slowSeconds} s slow, ${awaySeconds} s away`,
    })
  } finally {
    line.close()
    await provider.stop()
  }
}
