import { defineCommand } from 'citty'
import { UsageError } from '#cli/failure'
import { type JsonChoice, jsonFlag } from '#cli/output'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { editItem } from '#src/library/edit'
import { requireLibraryItem } from '#src/library/queries'
import { requireShape } from '#src/shape/validate'
import { PremiumEdit } from '#src/story/draft-schema'
import { requireItemId } from '#src/story/find-item-id'
import { fieldFlags, readContent, readFields } from './fields'
import { itemArg, printWritten } from './item'

export const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Changes an item; what you leave out stays. Example: nocturne stories edit the-night-ferry --title "The Last Ferry" --file ferry.txt',
  },
  args: {
    ...itemArg,
    title: { type: 'string', description: 'Its title' },
    file: { type: 'string', ...fileNamed('A file with the new text, or - for standard input') },
    ...fieldFlags,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const changes = {
      ...(args.title !== undefined && { title: args.title }),
      ...(await readContent(args.file)),
      ...readFields(args),
    }
    if (Object.keys(changes).length === 0)
      throw new UsageError('Nothing would change: name a field. See nocturne stories edit --help.')
    await changeItem(args.item, changes, args)
  },
})

/** Edits an item as the API does, and prints the result. */
export async function changeItem(item: string, changes: unknown, choice: JsonChoice): Promise<void> {
  const edited = requireShape(PremiumEdit, changes)
  await withServices(async ({ db }) => {
    const id = await requireItemId(db, item)
    const { warnings } = await editItem(db, id, edited, operatorName())
    printWritten(choice, { ...(await requireLibraryItem(db, id)), warnings })
  })
}
