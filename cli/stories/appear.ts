import { defineCommand } from 'citty'
import { jsonFlag } from '#cli/output'
import { changeItem } from './edit'
import { itemArg } from './item'
import { exampleTime, nowFlag, scheduleOrPublish } from './passed-time'

export const publish = defineCommand({
  meta: {
    name: 'publish',
    description: 'Shows an item to everyone. Example: nocturne stories publish the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) => changeItem(args.item, { status: 'published' }, args),
})

export const unpublish = defineCommand({
  meta: {
    name: 'unpublish',
    description:
      'Makes an item a draft again, visible to nobody. Example: nocturne stories unpublish the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) => changeItem(args.item, { status: 'draft' }, args),
})

export const schedule = defineCommand({
  meta: {
    name: 'schedule',
    description: `Schedules an item. Example: nocturne stories schedule the-night-ferry ${exampleTime}`,
  },
  args: {
    ...itemArg,
    at: { type: 'positional', description: `When, such as ${exampleTime}`, required: true },
    ...nowFlag,
    ...jsonFlag,
  },
  run: ({ args }) =>
    scheduleOrPublish(
      args,
      () => changeItem(args.item, { status: 'scheduled', publishedAt: args.at }, args),
      () => changeItem(args.item, { status: 'published' }, args),
    ),
})
