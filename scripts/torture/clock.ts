import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilReady } from '#scripts/until-ready'
import type { Random } from './random'
import { type Outcome, outcomeOf } from './report'
import { type Strike, underLoad } from './under-load'

/** The library of Debian's package `faketime`. */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const daySeconds = 86_400

/**
 * Lets the clock of the program's machine jump a day ahead and back, and a day back and ahead again, while the
 * database's clock stays. Monotonic clocks are unaffected, as on real machines.
 */
export async function jumpClock(random: Random, rounds: number): Promise<Outcome> {
  if (!existsSync(library))
    return outcomeOf('clock jumps', { tried: 1, note: 'not tried: install the package faketime' })
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-clock-'))
  const file = join(folder, 'clock')
  const set = (seconds: number) => writeFileSync(file, `${seconds >= 0 ? '+' : ''}${seconds}s\n`)
  set(0)
  const jumpTo =
    (seconds: number): Strike =>
    async ({ origin }) => {
      set(seconds)
      await Bun.sleep(1_500)
      await untilReady(origin)
    }
  const strikes = Array.from({ length: rounds }, () => [daySeconds, 0, -daySeconds, 0])
    .flat()
    .map(jumpTo)
  try {
    return await underLoad({
      part: 'clock jumps',
      random,
      strikes,
      target: {
        environment: {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: file,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      },
      note: 'a day ahead, back, a day back, ahead',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
