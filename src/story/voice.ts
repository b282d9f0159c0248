import { narrators, voiceOfNarrator } from '#src/narration/rules'
import { Refusal } from '#src/refusal'
import { type Voice, voices } from './rules'

/**
 * `female`, `male` or a narrator's name as the columns of an item: the voice, and the narrator where one was
 * named (product.md §8). Throws `invalid` for anything else.
 */
export function readNarratedVoice(text: string): {
  voice: Voice
  narratorFemale?: string
  narratorMale?: string
} {
  const name = text.trim().toLowerCase()
  const voice = voices.find((each) => each === name)
  if (voice) return { voice }
  const narrator = narrators.find((each) => each === name)
  if (!narrator) {
    const message = `Expected female, male or one of: ${narrators.join(', ')}`
    throw new Refusal('invalid', `voice: ${message}`, { fields: [{ path: 'voice', message }] })
  }
  return voiceOfNarrator(narrator) === 'female'
    ? { voice: 'female', narratorFemale: narrator }
    : { voice: 'male', narratorMale: narrator }
}
