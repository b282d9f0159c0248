import { admitWithOpinion } from '#src/guideline/second-opinion'
import type { Parts } from '#src/parts'
import type { AdmittedText } from '#src/story/admit-text'

/** What was admitted once may not be any more: the guidelines are asked again before anything is spoken. */
export async function admitSpeech(
  parts: Pick<Parts, 'db' | 'env' | 'log'>,
  text: { title: string; content: string; categories: readonly string[] },
  actor = 'nocturne',
): Promise<AdmittedText> {
  return admitWithOpinion(parts, text, { actor, role: 'operator', door: 'narrate' })
}
