import { setPriority } from 'node:os'
import { master } from '../sound/master'
import { openSpool } from '../sound/spool'
import { openSpeaker, type Speaker } from './espeak'
import { planSpeech } from './plan-speech'
import type { SpeakLine, SpeakRequest } from './request'
import { builtInVoices, isNarrator } from './voices'

/**
 * A process of its own: eSpeak NG is GPL-3, and its memory goes back with it. Reads a SpeakRequest from
 * stdin, writes an MP3 and SpeakLines.
 */
async function main(): Promise<void> {
  // Listeners go first: speaking takes what is left of the machine.
  setPriority(10)
  const request: SpeakRequest = await Bun.stdin.json()
  const speaker = await openVoice(request.narrator)
  if (speaker) await speak(request, speaker)
}

async function openVoice(narrator: string): Promise<Speaker | null> {
  try {
    return await openSpeaker(builtInVoices[isNarrator(narrator) ? narrator : 'rachel'])
  } catch (error) {
    write({ failed: 'no_voice', detail: String(error) })
    return null
  }
}

/** Speaking takes a quarter of the time, encoding the rest. */
const speakingShare = 0.25
const comment = 'Spoken by a synthetic voice.'

async function speak({ text, path, title, pace }: SpeakRequest, speaker: Speaker): Promise<void> {
  const plan = planSpeech(text, pace)
  const sentences = plan.filter((piece) => 'text' in piece).length
  if (sentences === 0) return write({ failed: 'no_words', detail: '' })
  const progress = progressWriter()
  const spool = await openSpool(`${path}.pcm`, speaker.sampleRateHz)
  try {
    for (const [at, piece] of plan.entries()) {
      const sound =
        'text' in piece ? speaker.say(piece.text) : silence(piece.pauseSeconds, speaker.sampleRateHz)
      await spool.add(sound)
      progress((at / plan.length) * speakingShare)
    }
    const made = await master(spool, path, { title, comment }, (share) =>
      progress(speakingShare + share * (1 - speakingShare)),
    )
    write({ made: { ...made, sentences } })
  } finally {
    await spool.remove()
  }
}

function silence(seconds: number, sampleRateHz: number): Float32Array {
  return new Float32Array(Math.round(seconds * sampleRateHz))
}

function progressWriter(): (share: number) => void {
  let writtenAt = performance.now()
  return (share) => {
    if (performance.now() - writtenAt < 500) return
    writtenAt = performance.now()
    write({ progress: Math.round(share * 1_000) / 1_000 })
  }
}

function write(line: SpeakLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

await main().catch((error) =>
  write({ failed: 'error', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
)
