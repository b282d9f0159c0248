import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planSpeech } from '#src/narration/plan-speech'
import { synthesisProgram } from '#src/narration/synthesis/run-worker'
import { enhanceText } from '#src/script/enhance'
import { watchPeak } from './memory'
import { figure, heading, notMeasured } from './report'
import { forget } from './servers'

const scene =
  'The last boat left at ten, and by the time the harbour lights had thinned, she was asleep; or so he thought. “You’re not cold,” she whispered, “are you?” He laughed, shook his head, and pulled the wool up to his chin. Nobody minded the rain, not even the captain, who had seen it all before.'
const words = 5_000

/** Measures the synthesis of 5,000 words, from text to MP3, by the voice's process on one core. */
export async function benchVoice(): Promise<void> {
  heading(`The built-in voice (${words.toLocaleString('en')} words)`)
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-bench-'))
  const text = Array(Math.ceil(words / scene.split(' ').length))
    .fill(scene)
    .join('\n\n')
  try {
    const startedAt = performance.now()
    const plan = await planSpeech(await enhanceText(text, 'story'), 'story')
    const planMs = performance.now() - startedAt
    const request = {
      plan,
      voice: { kind: 'built-in', narrator: 'rachel' },
      title: 'x',
      path: join(folder, 'a.mp3'),
    }
    const taskset = Bun.which('taskset')
    const worker = Bun.spawn([...(taskset ? [taskset, '-c', '0'] : []), ...synthesisProgram], {
      stdin: Buffer.from(JSON.stringify(request)),
      stdout: 'pipe',
      env: {},
    })
    const peak = watchPeak(worker)
    const lines = (await new Response(worker.stdout).text()).trim().split('\n')
    await worker.exited
    const seconds = (performance.now() - startedAt) / 1_000
    const { made } = JSON.parse(lines.at(-1) ?? '{}')
    if (!made) return notMeasured('speaking', 'the voice is not installed')
    const cpuSeconds = Number(worker.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000
    figure('speaking, whole process', made.durationSeconds / seconds, '× real time', { atLeast: 20 })
    figure('speaking, by the processor time it took', made.durationSeconds / cpuSeconds, '× real time')
    figure('sound', made.durationSeconds / 60, 'minutes')
    figure('peak memory', ((await peak) ?? 0) / 1024 / 1024, 'MB', { atMost: 300 })
    figure('enhancing and planning', planMs, 'ms')
  } finally {
    forget(folder)
  }
}
