import { defineCommand } from 'citty'
import { jsonFlag, print, table } from '#cli/output'
import { withServices } from '#cli/with-services'
import { requireItemOrRemoved } from '#src/library/queries'
import type { PremiumItem } from '#src/story/draft-schema'
import { itemFields, lineFields, listFields, textFields, yesNoFields } from '#src/story/fields'
import { requireItemId } from '#src/story/find-item-id'
import { itemMinutes } from '#src/story/narrator-words'
import { pluralize } from '#src/text/pluralize'
import { itemArg } from './item'

export const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Shows an item with its whole text, even a removed one. Example: nocturne stories show the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const item = await requireItemOrRemoved(db, await requireItemId(db, args.item))
      print(args, item, () => [...table(fieldsOf(item)), '', item.content])
    }),
})

function fieldsOf(item: PremiumItem): string[][] {
  const spoken = [item.linkedAudioFemale && 'female', item.linkedAudioMale && 'male'].filter(Boolean)
  return [
    ...lineFields.map((field) => [itemFields[field].label, item[field]]),
    ['Id', item.id],
    ['Slug', item.slug],
    ['Status', item.status],
    ['Appears', item.publishedAt],
    ['Type', item.type],
    ...listFields.map((field) => [itemFields[field].label, item[field].join(', ')]),
    ['Voice', [item.voice, item.narratorFemale, item.narratorMale].filter(Boolean).join(', ')],
    ['Length', `${itemMinutes(item)} min, ${pluralize(item.wordCount, 'word')}`],
    ['Audio', item.generateAudio ? 'in progress' : spoken.join(', ') || 'none'],
    ...yesNoFields.map((field) => [itemFields[field].label, item[field] ? 'yes' : 'no']),
    ...textFields
      .filter((field) => field !== 'content')
      .map((field) => [itemFields[field].label, item[field]]),
  ].filter(([, value]) => value !== '')
}
