import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { readText } from '#cli/read-text'
import { itemArg } from '#cli/stories/item'
import { operatorName, withParts } from '#cli/with-parts'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { enqueueEnhancement } from '#src/script/enhance-job'
import { editScript } from '#src/script/keep-script'
import { findText } from '#src/script/queries'
import { scriptOf } from '#src/script/script-of'
import { requireItemId } from '#src/story/find-item-id'

const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Prints what is spoken of an item, with its marks. Example: nocturne script show the-night-ferry > lamp.txt',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const made = await find(db, await requireItemId(db, args.item))
      print(args.json, made, () => [made.script])
    }),
})

const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Takes an edited script; without its marks it has to be the text word for word. Example: nocturne script edit the-night-ferry lamp.txt',
  },
  args: {
    ...itemArg,
    file: { type: 'positional', description: 'A file, or - for standard input', required: true },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const source = await readText(args.file)
    await withParts(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      await editScript(db, id, source, operatorName())
      print(args.json, await find(db, id), () => ['Saved.'])
    })
  },
})

const enhance = defineCommand({
  meta: {
    name: 'enhance',
    description:
      'Has the script of an item made anew, by the server. Example: nocturne script enhance the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const jobId = await enqueueEnhancement(db, await requireItemId(db, args.item))
      print(args.json, { jobId }, () => [`Queued: ${jobId}`])
    }),
})

async function find(db: Parts['db'], storyId: string) {
  const story = await findText(db, storyId)
  if (!story) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return scriptOf(db, story)
}

export default defineCommand({
  meta: { name: 'script', description: 'What is spoken of an item: show, edit, enhance' },
  subCommands: { show, edit, enhance },
})
