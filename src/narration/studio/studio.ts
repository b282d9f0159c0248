import { setPriority } from 'node:os'
import { openSpeaker } from '../built-in/espeak'
import { builtInVoices, isNarrator } from '../built-in/voices'
import { master } from '../sound/master'
import { openSpool } from '../sound/spool'
import { packTimings } from '../timings'
import type { PhraseVoice } from './phrase-sound'
import { openRecordedVoice } from './recorded-voice'
import type { StudioLine, StudioRequest, StudioVoice } from './request'
import { spoolPlan } from './spool-plan'

/**
 * A process of its own: eSpeak NG is GPL-3, mastering takes a whole core, and the memory of both goes back
 * with it. Reads a StudioRequest from stdin, writes an MP3 and StudioLines.
 */
async function main(): Promise<void> {
  // Listeners go first: speaking takes what is left of the machine.
  setPriority(10)
  const request: StudioRequest = await Bun.stdin.json()
  if (request.plan.sentences.length === 0) return write({ failed: 'no_words', detail: '' })
  const voice = await openVoice(request.voice)
  if (voice) await speak(request, voice)
}

async function openVoice(voice: StudioVoice): Promise<PhraseVoice | null> {
  if (voice.kind === 'recorded') return openRecordedVoice(voice)
  try {
    return await openSpeaker(builtInVoices[isNarrator(voice.narrator) ? voice.narrator : 'rachel'])
  } catch (error) {
    write({ failed: 'no_voice', detail: String(error) })
    return null
  }
}

/** Speaking takes a quarter of the time, encoding the rest. */
const speakingShare = 0.25
/** What the file says of itself, wherever it goes: people have a right to know who speaks (AI Act, article 50). */
const comment = 'Spoken by a synthetic voice (AI narration).'

async function speak({ plan, path, title }: StudioRequest, voice: PhraseVoice): Promise<void> {
  const progress = progressWriter()
  const spool = await openSpool(`${path}.pcm`, voice.sampleRateHz)
  try {
    const timings = await spoolPlan(spool, plan, voice, (share) => progress(share * speakingShare))
    const made = await master(spool, path, { title, comment }, (share) =>
      progress(speakingShare + share * (1 - speakingShare)),
    )
    write({ made: { ...made, sentences: plan.sentences.length, timings: packTimings(timings) } })
  } finally {
    await spool.remove()
  }
}

function progressWriter(): (share: number) => void {
  let writtenAt = performance.now()
  const parent = process.ppid
  return (share) => {
    if (performance.now() - writtenAt < 500) return
    // Who asked was killed: nobody waits for this any more.
    if (process.ppid !== parent) process.exit(1)
    writtenAt = performance.now()
    write({ progress: Math.round(share * 1_000) / 1_000 })
  }
}

function write(line: StudioLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

await main().catch((error) =>
  write({ failed: 'error', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
)
