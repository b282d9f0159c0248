import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print } from '#cli/output'
import { operatorName, withServices } from '#cli/with-services'
import { requireLibraryItem } from '#src/library/queries'
import { removeItem, restoreItem } from '#src/library/remove'
import { requireItemId } from '#src/story/find-item-id'
import { itemArg } from './item'

export const remove = defineCommand({
  meta: {
    name: 'remove',
    description:
      'Removes an item from every list at once; restore brings it back. Example: nocturne stories remove the-night-ferry --yes',
  },
  args: { ...itemArg, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Remove ${args.item} from the library?`))) return
    await withServices(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      await removeItem(db, id, operatorName())
      print(args, { id, removed: true }, () => [`Removed. To restore it: nocturne stories restore ${id}`])
    })
  },
})

export const restore = defineCommand({
  meta: {
    name: 'restore',
    description: 'Restores a removed item to where it was. Example: nocturne stories restore the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      await restoreItem(db, id, operatorName())
      const item = await requireLibraryItem(db, id)
      print(args, item, () => [`Restored, ${item.status}: ${item.title}`])
    }),
})
