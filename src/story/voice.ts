import { narrators, voiceOfNarrator } from '#src/narration/rules'
import { invalidField } from '#src/shape/invalid-field'
import { type Voice, voices } from './rules'

/**
 * Converts `female`, `male` or a narrator's name to columns of an item: the voice, and the narrator if one was named.
 * Throws `invalid` for other text.
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
  if (!narrator) throw invalidField('voice', `Expected female, male or one of: ${narrators.join(', ')}`)
  return voiceOfNarrator(narrator) === 'female'
    ? { voice: 'female', narratorFemale: narrator }
    : { voice: 'male', narratorMale: narrator }
}
