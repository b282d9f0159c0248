import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print } from '#cli/output'
import { operatorName, withServices } from '#cli/with-services'
import { goingWords } from '#src/demo/demo-words'
import { describeDemo } from '#src/demo/plan'
import { removeDemo, restoreDemo } from '#src/demo/remove'
import type { DemoState } from '#src/demo/schema'

const show = defineCommand({
  meta: {
    name: 'show',
    description: 'Shows what is left of the demo library, and what would stay. Example: nocturne demo show',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const state = await describeDemo(db)
      print(args, state, () => linesOf(state))
    }),
})

const remove = defineCommand({
  meta: {
    name: 'remove',
    description: 'Removes the demo library; what you have changed stays. Example: nocturne demo remove --yes',
  },
  args: { ...yesFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const before = await describeDemo(db)
      if (!args.yes && !(await confirm(`Remove ${goingWords(before)}?`))) return
      const after = await removeDemo(db, operatorName())
      print(args, after, () => [`Removed: ${goingWords(before)}.`, ...keptLines(after)])
    }),
})

const restore = defineCommand({
  meta: {
    name: 'restore',
    description: 'Restores the demo library. Example: nocturne demo restore',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const state = await restoreDemo(db, operatorName())
      print(args, state, () => linesOf(state))
    }),
})

export default defineCommand({
  meta: { name: 'demo', description: 'The demo library of the first start: show, remove, restore' },
  subCommands: { show, remove, restore },
})

function linesOf(state: DemoState): string[] {
  const { takenAway } = state
  return [
    `Here: ${goingWords(state)}.`,
    ...(takenAway > 0 ? [`Removed: ${takenAway}. Restore them: nocturne demo restore`] : []),
    ...keptLines(state),
  ]
}

function keptLines({ kept }: DemoState): string[] {
  return kept.map(({ title, reason }) => `Stays: ${title}. ${reason}`)
}
