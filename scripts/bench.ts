import { cpus } from 'node:os'
import { ensureBuilt } from '#scripts/build'

/**
 * Measures the program beside the ceilings of the same run: `bun run bench`, or only some parts: `bun run bench pages
 * sizes`. It takes minutes, needs an idle machine, and is no gate in CI.
 */
const parts: Record<string, () => Promise<void>> = {
  sizes: () => import('#scripts/bench/sizes').then((m) => m.benchSizes()),
  start: () => import('#scripts/bench/start').then((m) => m.benchStart()),
  narrating: () => import('#scripts/bench/narrating').then((m) => m.benchNarrating()),
  pages: () => import('#scripts/bench/pages').then((m) => m.benchPages()),
  audio: () => import('#scripts/bench/audio').then((m) => m.benchAudio()),
  processes: () => import('#scripts/bench/processes').then((m) => m.benchProcesses()),
  replicas: () => import('#scripts/bench/replicas').then((m) => m.benchReplicas()),
  imports: () => import('#scripts/bench/imports').then((m) => m.benchImports()),
  guidelines: () => import('#scripts/bench/guidelines').then(async (m) => m.benchGuidelines()),
  voice: () => import('#scripts/bench/voice').then((m) => m.benchVoice()),
  content: () => import('#scripts/bench/content').then((m) => m.benchContent([100_000])),
  browser: () => import('#scripts/bench/browser').then((m) => m.benchBrowser()),
  felt: () => import('#scripts/bench/felt').then((m) => m.benchFelt()),
  hidden: () => import('#scripts/bench/hidden').then((m) => m.benchHidden()),
  'my-content': () => import('#scripts/bench/my-content').then((m) => m.benchMyContent()),
  console: () => import('#scripts/bench/console').then((m) => m.benchConsole()),
  trending: () => import('#scripts/bench/trending').then((m) => m.benchTrending()),
  ingest: () => import('#scripts/bench/ingest').then((m) => m.benchIngest()),
  beats: () => import('#scripts/bench/beats').then((m) => m.benchBeats()),
  folding: () => import('#scripts/bench/folding').then((m) => m.benchFolding([100_000, 300_000, 1_000_000])),
  dashboards: () => import('#scripts/bench/dashboards').then((m) => m.benchDashboards()),
  'folding-large': () =>
    import('#scripts/bench/folding').then((m) => m.benchFolding([1_000_000, 3_000_000, 10_000_000])),
  'content-large': () => import('#scripts/bench/content').then((m) => m.benchContent([1_000_000])),
  large: () => import('#scripts/bench/large').then((m) => m.benchLarge(1_000_000)),
  scale: () => import('#scripts/bench/scale').then((m) => m.benchScale()),
}
/** Parts that repeat others or take the better part of an hour. They run only if they are named. */
const onlyNamed = ['large', 'scale']

const names = process.argv.slice(2)
const unknown = names.find((name) => !(name in parts))
if (unknown) {
  process.stderr.write(
    `There is no part ${JSON.stringify(unknown)}. Parts: ${Object.keys(parts).join(', ')}\n`,
  )
  process.exit(2)
}
await ensureBuilt()
process.stdout.write(`Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
const chosen = names.length > 0 ? names : Object.keys(parts).filter((name) => !onlyNamed.includes(name))
for (const name of chosen) await parts[name]?.()
