import type { SpeechPlan } from '../plan-speech'
import type { Spool } from '../sound/spool'
import type { TimedSentence, Timings } from '../timings'
import type { PhraseVoice } from './phrase-sound'

/**
 * Says a plan into a spool, phrase by phrase, with its silences exact to the sample. The times are counted
 * in samples on the way, so a sentence is where they say it is.
 */
export async function spoolPlan(
  spool: Spool,
  plan: SpeechPlan,
  voice: PhraseVoice,
  onProgress: (share: number) => void,
): Promise<Timings> {
  const { sampleRateHz } = voice
  const sentences = new Map<number, TimedSentence>()
  const words: Timings['words'] = []
  for (const [index, piece] of plan.pieces.entries()) {
    if ('pauseSeconds' in piece) {
      await spool.add(new Float32Array(Math.round(piece.pauseSeconds * sampleRateHz)))
      continue
    }
    const sound = await voice.say(piece)
    const startSeconds = spool.samples / sampleRateHz
    await spool.add(sound.samples)
    const endSeconds = spool.samples / sampleRateHz
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
    onProgress(index / plan.pieces.length)
  }
  return { sentences: [...sentences.values()], words }
}
