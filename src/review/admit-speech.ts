import type { ModeratedText } from '#src/guideline/moderation-gate'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import type { Services } from '#src/services'

/** Moderates a text again before it is narrated, since the guidelines may have changed after it was accepted. */
export async function moderateSpeech(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  text: { title: string; content: string; categories: readonly string[] },
  actor = 'nocturne',
): Promise<ModeratedText> {
  return moderateWithSecondOpinion(services, text, { actor, role: 'operator', source: 'narrate' })
}
