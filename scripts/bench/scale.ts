import { benchAudio } from './audio'
import { benchBeats } from './beats'
import { benchIngest } from './ingest'
import { benchLarge } from './large'
import { benchProcesses } from './processes'

/** What a growing library and a growing crowd cost, part by part, each beside its ceiling in the same run. */
export async function benchScale(): Promise<void> {
  await benchProcesses()
  await benchAudio()
  await benchIngest()
  await benchBeats()
  await benchLarge(50_000)
}
