import { defineCommand } from 'citty'
import { UsageError } from '#cli/failure'
import { jsonFlag } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { requireShape } from '#src/require-shape'
import { PremiumEdit } from '#src/story/draft-schema'
import { editItem } from '#src/story/edit'
import { requireItemId } from '#src/story/find-item-id'
import { findLibraryItem } from '#src/story/library'
import { fieldFlags, readContent, readFields } from './fields'
import { itemArg, printWritten, requireItem } from './item'

export const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Changes an item; what is left out stays. Example: nocturne stories edit the-night-ferry --title "The Last Ferry" --file ferry.txt',
  },
  args: {
    ...itemArg,
    title: { type: 'string', description: 'What it is called' },
    file: { type: 'string', description: 'A file with the new text, or - for standard input' },
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
    await changeItem(args.item, changes, args.json)
  },
})

/** Edits an item as the API does, and prints how it is then. */
export async function changeItem(item: string, changes: unknown, isJson: boolean): Promise<void> {
  const edited = requireShape(PremiumEdit, changes)
  await withParts(async ({ db }) => {
    const id = await requireItemId(db, item)
    const { warnings } = await editItem(db, id, edited, operatorName())
    printWritten(isJson, { ...requireItem(await findLibraryItem(db, id)), warnings })
  })
}
