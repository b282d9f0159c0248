import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { unspokenWords } from '#src/narration/unspoken-words'
import type { PremiumItem } from '#src/story/draft-schema'
import { voices } from '#src/story/rules'

/** Shows which words of a corrected text the recording does not contain, and the price of a new recording. */
export async function showUnspoken(item: PremiumItem): Promise<void> {
  const linked = { female: item.linkedAudioFemale, male: item.linkedAudioMale }
  const recorded = voices.filter((voice) => linked[voice])
  for (const voice of recorded) {
    const path = { id: item.id }
    // If no voice is configured there is no price, and a new recording cannot be made.
    const estimate = await operatorApi('POST /api/stories/:id/narrate/estimate', {
      path,
      body: { voice },
    }).catch(() => null)
    if (!estimate || estimate.unspoken.length === 0) continue
    emit('nocturne:toast', {
      title: 'The recording is of an earlier text',
      description: `${unspokenWords({ voice, count: estimate.unspoken.length, total: estimate.sentences })} Narrate now: ${estimate.price}.`,
    })
  }
}
