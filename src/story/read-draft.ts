import type { Static } from 'typebox'
import { readMoment } from '#src/moment'
import type { PremiumDraft } from './draft-schema'
import { readTags } from './edit'
import type { Draft } from './publish'
import { readNarratedVoice } from './voice'

/** What an operator sends to make an item, as the item's draft. Throws `invalid` for a voice or moment that is none. */
export function readDraft({
  voice,
  tags,
  contentNotes,
  publishedAt,
  generateAudio,
  ...draft
}: Static<typeof PremiumDraft>): Draft {
  return {
    ...draft,
    categories: draft.categories ?? ['romantic'],
    tags: readTags(tags ?? []),
    contentNotes: readTags(contentNotes ?? []),
    ...(publishedAt !== undefined && { publishedAt: readMoment('publishedAt', publishedAt) }),
    ...readNarratedVoice(voice ?? 'female'),
  }
}
