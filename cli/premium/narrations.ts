import { defineCommand } from 'citty'
import { jsonFlag, print, table } from '#cli/output'
import { itemArg } from '#cli/stories/item'
import { operatorName, withServices } from '#cli/with-services'
import { listNarrations, requireLibraryItem, restoreNarration } from '#src/narration/earlier-narrations'
import { requireItemId } from '#src/story/find-item-id'
import { clock } from '#src/ui/clock'
import { urls } from '#src/urls'

export const listOfItem = defineCommand({
  meta: {
    name: 'narrations',
    description:
      'The narrations of an item: the current ones and then the earlier ones, the newest first. Example: nocturne premium narrations the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      await requireLibraryItem(db, id)
      const all = await listNarrations(db, id)
      print(args, all, () =>
        table(
          all.map(({ id, voice, isCurrent, provider, fileName, durationSeconds, createdAt }) => [
            id,
            voice,
            isCurrent ? 'current' : 'earlier',
            createdAt.toISOString().slice(0, 16),
            clock(durationSeconds),
            fileName ?? provider,
          ]),
        ),
      )
    }),
})

export const restore = defineCommand({
  meta: {
    name: 'restore-narration',
    description:
      'Uses an earlier narration of an item again; the current one is kept. Example: nocturne premium restore-narration the-night-ferry 019c…',
  },
  args: {
    ...itemArg,
    id: {
      type: 'positional',
      description: 'Its id, as nocturne premium narrations prints it',
      required: true,
    },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      const { voice } = await restoreNarration(db, id, args.id, operatorName())
      print(args, { voice, audioUrl: urls.premiumAudio(id, voice) }, () => [`In use again (${voice})`])
    }),
})
