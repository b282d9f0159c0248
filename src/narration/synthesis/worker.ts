import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { openSpeaker } from '#src/narration/built-in/espeak'
import { builtInVoices, isNarrator } from '#src/narration/built-in/voices'
import { packTimings } from '#src/narration/timing/timing-rules'
import { master } from '#src/sound/master'
import { openTemporarySound } from '#src/sound/temporary-sound'
import type { PhraseVoice } from './phrase-sound'
import { openRecordedVoice } from './recorded-voice'
import type { SynthesisLine, SynthesisRequest, SynthesisVoice } from './request'
import { writePlan } from './speak-to-file'

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

/**
 * Entry point of a separate process: eSpeak NG is GPL-3, mastering takes a whole core, and the memory of both is freed
 * when the process ends. Reads a SynthesisRequest from stdin, writes an MP3 and SynthesisLines.
 */
async function main(): Promise<void> {
  const request: SynthesisRequest = JSON.parse((await input.next()).value ?? '')
  // Listeners have priority: synthesis uses idle processor time.
  setPriority(request.isBackground ? 19 : 10)
  if (request.plan.sentences.length === 0) return write({ failed: 'no_words', detail: '' })
  // Created before the voice is opened: opening it and speaking the first words belong to the first stretch of work.
  const progress = progressWriter(request.isBackground ? () => input.next() : null)
  const voice = await openVoice(request.voice)
  if (voice) await speak(request, voice, progress)
}

async function openVoice(voice: SynthesisVoice): Promise<PhraseVoice | null> {
  if (voice.kind === 'recorded') return openRecordedVoice(voice)
  try {
    return await openSpeaker(builtInVoices[isNarrator(voice.narrator) ? voice.narrator : 'rachel'])
  } catch (error) {
    write({ failed: 'no_voice', detail: String(error) })
    return null
  }
}

/** Synthesis takes a quarter of the time, encoding the rest. */
const speakingShare = 0.25
/** The comment in the file's metadata: people have a right to know that a voice is synthetic (AI Act, article 50). */
const comment = 'Spoken by a synthetic voice (AI narration).'

async function speak(
  { plan, path, title }: SynthesisRequest,
  voice: PhraseVoice,
  progress: (share: number) => Promise<void>,
): Promise<void> {
  const output = await openTemporarySound(`${path}.pcm`, voice.sampleRateHz)
  try {
    const timings = await writePlan(output, plan, voice, (share) => progress(share * speakingShare))
    const made = await master(output, path, { title, comment }, (share) =>
      progress(speakingShare + share * (1 - speakingShare)),
    )
    write({ made: { ...made, sentences: plan.sentences.length, timings: packTimings(timings) } })
  } finally {
    await output.remove()
  }
}

/** Writes the progress twice a second. In the background it then waits until the parent lets it continue. */
function progressWriter(turn: (() => Promise<unknown>) | null): (share: number) => Promise<void> {
  let writtenAt = performance.now()
  const parent = process.ppid
  return async (share) => {
    if (performance.now() - writtenAt < 500) return
    // The parent was killed, so nobody needs the result.
    if (process.ppid !== parent) process.exit(1)
    write({ progress: Math.round(share * 1_000) / 1_000 })
    await turn?.()
    writtenAt = performance.now()
  }
}

function write(line: SynthesisLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

await main().catch((error) =>
  write({ failed: 'error', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
)
