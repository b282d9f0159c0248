import { benchAudio } from './audio'
import { benchBeats } from './beats'
import { benchFolding } from './folding'
import { benchIngest } from './ingest'
import { benchLarge } from './large'
import { benchProcesses } from './processes'
import { benchReplicas } from './replicas'
import { benchTrending } from './trending'

/** Measures what a growing library and audience cost, part by part, each beside its ceiling in the same run. */
export async function benchScale(): Promise<void> {
  await benchProcesses()
  await benchReplicas()
  await benchAudio()
  await benchIngest()
  await benchFolding([100_000, 300_000, 1_000_000])
  await benchTrending()
  await benchBeats()
  await benchLarge(50_000)
}
