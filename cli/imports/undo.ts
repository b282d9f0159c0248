import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { planUndoOf, undoImport } from '#src/import/undo'
import { answerUndo } from '#src/import/undo-answer'
import { editedChoices } from '#src/import/undo-rules'
import type { UndoAnswer } from '#src/import/undo-schema'
import { undoItemWords } from '#src/import/undo-words'

export const undo = defineCommand({
  meta: {
    name: 'undo',
    description:
      'Undoes a whole import: items it created go into the bin, items edited since stay. Example: nocturne imports undo 019c… --dry-run',
  },
  args: {
    id: { type: 'positional', description: "The import's id", required: true },
    edited: {
      type: 'string',
      ...choiceOf(['keep', 'remove'], 'Items edited since: keep or remove'),
      default: 'keep',
    },
    'dry-run': { type: 'boolean', description: 'Print the plan and change nothing', default: false },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const edited = choose('value of --edited', editedChoices, args.edited)
    await withServices(async ({ db }) => {
      const plan = await planUndoOf(db, args.id, { edited })
      const planned = await answerUndo(db, plan, { isDryRun: true })
      if (args['dry-run']) return print(args, planned, () => planLines(planned))
      if (!args.yes) {
        for (const line of planLines(planned)) printNote(line)
        if (!(await confirm('Undo this import?'))) return
      }
      const done = await undoImport(db, args.id, operatorName(), { edited, expected: plan.fingerprint })
      const answer = await answerUndo(db, done, { isDryRun: false })
      print(args, answer, () => [...(args.yes ? planLines(answer) : [answer.message]), ...binLines(answer)])
    })
  },
})

function planLines(answer: UndoAnswer): string[] {
  const { items, total, message } = answer
  return [
    ...table(items.map((item) => [item.id, item.title, undoItemWords(item)])),
    ...(total > items.length ? [`… and ${total - items.length} more`] : []),
    ...(items.length > 0 ? [''] : []),
    message,
  ]
}

function binLines({ removed, binDays }: UndoAnswer): string[] {
  return removed > 0
    ? [
        `The bin keeps ${removed === 1 ? 'it' : 'them'} for ${binDays} days: nocturne stories restore ID brings one back.`,
      ]
    : []
}
