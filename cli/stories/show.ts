import { defineCommand } from 'citty'
import { jsonFlag, print, table } from '#cli/output'
import { withParts } from '#cli/with-parts'
import type { PremiumItem } from '#src/story/draft-schema'
import { requireItemId } from '#src/story/find-item-id'
import { findKeptItem } from '#src/story/library'
import { itemArg, requireItem } from './item'

export const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Shows an item with its whole text, removed ones too. Example: nocturne stories show the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const item = requireItem(await findKeptItem(db, await requireItemId(db, args.item)))
      print(args.json, item, () => [...table(fieldsOf(item)), '', item.content])
    }),
})

function fieldsOf(item: PremiumItem): string[][] {
  const spoken = [item.linkedAudioFemale && 'female', item.linkedAudioMale && 'male'].filter(Boolean)
  return [
    ['Title', item.title],
    ['Id', item.id],
    ['Slug', item.slug],
    ['Status', item.status],
    ['Appears', item.publishedAt],
    ['Type', item.type],
    ['Categories', item.categories.join(', ')],
    ['Tags', item.tags.join(', ')],
    ['Content notes', item.contentNotes.join(', ')],
    ['Voice', [item.voice, item.narratorFemale, item.narratorMale].filter(Boolean).join(', ')],
    ['Length', `${item.duration} min, ${item.wordCount} words`],
    ['Audio', item.generateAudio ? 'in the making' : spoken.join(', ') || 'none'],
    ['Free sample', item.isFree ? 'yes' : 'no'],
    ['Description', item.description],
    ['Excerpt', item.excerpt],
  ].filter(([, value]) => value !== '')
}
