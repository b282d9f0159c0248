import { defineCommand } from 'citty'
import { jsonFlag } from '#cli/output'
import { readText } from '#cli/read-text'
import { choiceOf, fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { createItem } from '#src/library/create-item'
import { requireShape } from '#src/shape/validate'
import { PremiumDraft } from '#src/story/draft-schema'
import { readDraft } from '#src/story/read-draft'
import { itemTypes } from '#src/story/rules'
import { fieldFlags, readFields } from './fields'
import { printWritten } from './item'
import { exampleTime, nowFlag, scheduleOrPublish } from './passed-time'

export const add = defineCommand({
  meta: {
    name: 'add',
    description:
      'Adds one item; its text is read from a file, or - for standard input. Example: nocturne stories add "The Night Ferry" ferry.txt --categories romantic --tags "sea, strangers" --voice rachel --narrate',
  },
  args: {
    title: { type: 'positional', description: 'Its title', required: true },
    file: { type: 'positional', ...fileNamed('A file with the text, or -'), required: true },
    type: { type: 'string', ...choiceOf(itemTypes), default: 'story' },
    ...fieldFlags,
    draft: { type: 'boolean', description: 'Keep it as a draft, visible to nobody', default: false },
    at: { type: 'string', description: `When it appears, such as ${exampleTime}` },
    narrate: { type: 'boolean', description: 'Have it narrated by the server', default: false },
    ...nowFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const content = await readText(args.file)
    const addWith = async (appearance: object) => {
      const draft = requireShape(PremiumDraft, {
        title: args.title,
        content,
        type: args.type,
        ...readFields(args),
        ...appearance,
        ...(args.draft && { status: 'draft' }),
        generateAudio: args.narrate,
      })
      await withServices(async ({ db }) => {
        const item = await createItem(db, readDraft(draft), operatorName(), { isNarrated: args.narrate })
        printWritten(args, item)
      })
    }
    const time = args.at === undefined ? {} : { publishedAt: args.at, status: 'scheduled' }
    await scheduleOrPublish(
      args,
      () => addWith(time),
      () => addWith({}),
    )
  },
})
