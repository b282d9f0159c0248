import type { SpeechPlan } from '#src/narration/plan-speech'
import type { TimedSentence, Timings } from '#src/narration/timing/timing-rules'
import type { TemporarySound } from '#src/sound/temporary-sound'
import type { PhraseVoice } from './phrase-sound'

/**
 * Writes a plan into a temporary file, phrase by phrase. Silences and times are counted in samples, so they are exact.
 */
export async function writePlan(
  output: TemporarySound,
  plan: SpeechPlan,
  voice: PhraseVoice,
  onProgress: (share: number) => Promise<void>,
): Promise<Timings> {
  const { sampleRateHz } = voice
  const sentences = new Map<number, TimedSentence>()
  const words: Timings['words'] = []
  for (const [index, piece] of plan.pieces.entries()) {
    if ('pauseSeconds' in piece) {
      await output.add(new Float32Array(Math.round(piece.pauseSeconds * sampleRateHz)))
      continue
    }
    const sound = await voice.speak(piece)
    const startSeconds = output.samples / sampleRateHz
    await output.add(sound.samples)
    const endSeconds = output.samples / sampleRateHz
    const planned = plan.sentences[piece.sentence]
    const begun = sentences.get(piece.sentence)
    if (begun) begun.endSeconds = endSeconds
    else if (planned) sentences.set(piece.sentence, { ...planned, startSeconds, endSeconds })
    for (const word of sound.words) {
      words.push({
        ...word,
        startSeconds: word.startSeconds + startSeconds,
        endSeconds: word.endSeconds + startSeconds,
      })
    }
    await onProgress(index / plan.pieces.length)
  }
  return { sentences: [...sentences.values()], words }
}
