import type { Parts } from '#src/parts'
import { type AdmittedText, admitText } from '#src/story/admit-text'

/** What was admitted once may not be any more: the guidelines are asked again before anything is spoken. */
export async function admitSpeech(
  { db }: Pick<Parts, 'db'>,
  text: { title: string; content: string; categories: readonly string[] },
  actor = 'nocturne',
): Promise<AdmittedText> {
  return admitText(db, text, { actor, role: 'operator', door: 'narrate' })
}
