import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { readText } from '#cli/read-text'
import { itemArg } from '#cli/stories/item'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { enqueueEnhancement } from '#src/script/enhance-job'
import { openText } from '#src/script/open-text'
import { scriptOf } from '#src/script/script-of'
import { editScript } from '#src/script/store-script'
import type { Services } from '#src/services'
import { requireItemId } from '#src/story/find-item-id'

const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Prints the script of an item, with its marks. Example: nocturne script show the-night-ferry > lamp.txt',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const made = await find(db, await requireItemId(db, args.item))
      print(args, made, () => [made.script])
    }),
})

const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Saves an edited script; without its marks it has to be the text word for word. Example: nocturne script edit the-night-ferry lamp.txt',
  },
  args: {
    ...itemArg,
    file: { type: 'positional', ...fileNamed('A file, or - for standard input'), required: true },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const source = await readText(args.file)
    await withServices(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      await editScript(db, id, { source }, operatorName())
      print(args, await find(db, id), () => ['Saved.'])
    })
  },
})

const enhance = defineCommand({
  meta: {
    name: 'enhance',
    description:
      'Has the server make the script of an item again. Example: nocturne script enhance the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const jobId = await enqueueEnhancement(db, await requireItemId(db, args.item))
      print(args, { jobId }, () => [`Queued: ${jobId}`])
    }),
})

async function find(db: Services['db'], storyId: string) {
  return scriptOf(db, await openText(db, storyId, operatorName()))
}

export default defineCommand({
  meta: { name: 'script', description: 'Scripts of items: show, edit, enhance' },
  subCommands: { show, edit, enhance },
})
