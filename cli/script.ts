import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { enqueueEnhancement } from '#src/script/enhance-job'
import { editScript } from '#src/script/keep-script'
import { findText } from '#src/script/queries'
import { scriptOf } from '#src/script/script-of'

const id = { type: 'positional', description: "The item's id", required: true } as const

const show = defineCommand({
  meta: {
    name: 'show',
    description:
      'Prints what is spoken of an item, with its marks. Example: nocturne script show 019c… > lamp.txt',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const made = await find(db, args.id)
      print(args.json, made, () => [made.script])
    }),
})

const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Takes an edited script; without its marks it has to be the text word for word. Example: nocturne script edit 019c… lamp.txt',
  },
  args: {
    id,
    file: { type: 'positional', description: 'A file, or - for standard input', required: true },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const source = await (args.file === '-' ? Bun.stdin : Bun.file(args.file)).text()
      await editScript(db, args.id, source, operatorName())
      print(args.json, await find(db, args.id), () => ['Saved.'])
    }),
})

const enhance = defineCommand({
  meta: {
    name: 'enhance',
    description: 'Has the script of an item made anew, by the server. Example: nocturne script enhance 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const jobId = await enqueueEnhancement(db, args.id)
      print(args.json, { jobId }, () => [`Queued: ${jobId}`])
    }),
})

async function find(db: Parts['db'], storyId: string) {
  const story = await findText(db, storyId)
  if (!story) throw new Refusal('not_found', `There is no item ${storyId}.`)
  return scriptOf(db, story)
}

export default defineCommand({
  meta: { name: 'script', description: 'What is spoken of an item: shown, edited, made anew' },
  subCommands: { show, edit, enhance },
})
