import type { ModeratedText } from '#src/guideline/moderation-gate'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import type { Services } from '#src/services'

/** The guidelines may have changed since a text was accepted: it is judged again before it is spoken. */
export async function moderateSpeech(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  text: { title: string; content: string; categories: readonly string[] },
  actor = 'nocturne',
): Promise<ModeratedText> {
  return moderateWithSecondOpinion(services, text, { actor, role: 'operator', source: 'narrate' })
}
