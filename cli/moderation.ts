import { defineCommand } from 'citty'
import { changeCommand } from '#cli/change-rows'
import { choose } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { jsonFlag, print, printCount, table } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { decideReport } from '#src/moderation/decide'
import { listReports } from '#src/moderation/reports'
import { type ModeratorAction, reportStates, reportsLimitMax, reportTypeWords } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'

const list = defineCommand({
  meta: {
    name: 'list',
    description:
      'Lists the pending reports, the newest first. Example: nocturne moderation list --state decided',
  },
  args: {
    state: { type: 'string', ...choiceOf(reportStates), default: 'pending' },
    cursor: { type: 'string', description: 'The id of the last report of the page before' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const state = choose('state', reportStates, args.state)
    return withServices(async ({ db }) => {
      const { reports, count, nextCursor } = await listReports(db, {
        state,
        limit: reportsLimitMax,
        cursor: args.cursor,
      })
      print(args, reports, () => table(reports.map(lineOf)))
      printCount(reports.length, { count, nextCursor }, 'report')
    })
  },
})

function lineOf({ id, createdAt, flagType, moderatorAction, item, flagReason }: ContentFlag): string[] {
  const words = flagReason.replace(/\s+/g, ' ')
  return [id, createdAt, moderatorAction ?? 'pending', reportTypeWords[flagType].name, item.title, words]
}

const id = { type: 'positional', description: "The report's id", required: true } as const
const notes = { type: 'string', description: 'The reason, sent to the maker and the reporter' } as const

const review = defineCommand({
  meta: {
    name: 'review',
    description: 'Marks a report as being reviewed. Example: nocturne moderation review 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) => decide('review', args, 'In review'),
})

const approve = defineCommand({
  meta: {
    name: 'approve',
    description:
      'Lets a reported item stand, or restores it if it was removed. Example: nocturne moderation approve 019c… --notes "Heard twice, all well."',
  },
  args: { id, notes, ...jsonFlag },
  run: ({ args }) => decide('approve', args, 'Content approved'),
})

const remove = defineCommand({
  meta: {
    name: 'remove',
    description:
      'Removes a reported item from every list at once; approve brings it back. Example: nocturne moderation remove 019c… --notes "Not as described" --yes',
  },
  args: { id, notes, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm('Remove this item from the library?'))) return
    await decide('remove', args, 'Content removed')
  },
})

type Given = { id: string; notes?: string; json: boolean }

async function decide(moderatorAction: ModeratorAction, { id, notes, json }: Given, done: string) {
  await withServices(async (services) => {
    const decision = { moderatorAction, ...(notes !== undefined && { moderatorNotes: notes }) }
    const report = await decideReport(services, id, decision, operatorName())
    print({ json }, report, () => [`${done}: ${report.item.title}`])
  })
}

export default defineCommand({
  meta: { name: 'moderation', description: 'Reports on items: list, review, approve, remove, change' },
  subCommands: {
    list,
    review,
    approve,
    remove,
    change: changeCommand('reports', 'nocturne moderation change approve --reason "Heard twice, all well."'),
  },
})
