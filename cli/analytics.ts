import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { itemArg } from '#cli/stories/item'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { describeConversion, describeRetention, listSearches } from '#src/analytics/insight'
import { pruneAnalytics } from '#src/analytics/partitions'
import { listContentAnalytics, summarise } from '#src/analytics/queries'
import { rebuildAll, rollUp } from '#src/analytics/rollup'
import { type Period, periodDefault, periods, retentionDays } from '#src/analytics/rules'
import { categoryFilters } from '#src/analytics/schema'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { recordChange } from '#src/operator/audit'
import { requireItemId } from '#src/story/find-item-id'
import { pluralize } from '#src/text/pluralize'
import { clock } from '#src/ui/clock'

const daysFlag = {
  days: { type: 'string', ...choiceOf(periods), default: String(periodDefault) },
} as const

const summary = defineCommand({
  meta: {
    name: 'summary',
    description:
      'Shows the numbers of a period. Example: nocturne analytics summary --days 7 --category romantic',
  },
  args: {
    ...daysFlag,
    category: { type: 'string', ...choiceOf(categoryFilters, 'all or a category'), default: 'all' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const span = { days: periodOf(args.days), category: choose('category', categoryFilters, args.category) }
    return withServices(async ({ db }) => {
      await rollUp(db)
      const numbers = await summarise(db, span)
      const content = await listContentAnalytics(db, span)
      print(args, { ...numbers, content }, () => [
        ...table(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
        '',
        ...table(
          content.map((item) => [
            item.contentTitle,
            pluralize(item.totalViews, 'view'),
            pluralize(item.uniqueListeners, 'listener'),
            `${item.totalCompletions} completed`,
          ]),
        ),
      ])
    })
  },
})

const searches = defineCommand({
  meta: {
    name: 'searches',
    description: 'Lists what is searched for, what is not found first. Example: nocturne analytics searches',
  },
  args: { ...daysFlag, ...jsonFlag },
  run: ({ args }) => {
    const days = periodOf(args.days)
    return withServices(async ({ db }) => {
      await rollUp(db)
      const found = await listSearches(db, days)
      print(args, found, () =>
        table(
          found.map((each) => [
            each.query,
            pluralize(each.searches, 'time'),
            `${each.withoutResult} without result`,
          ]),
        ),
      )
      printNote(pluralize(found.length, 'search', 'searches'))
    })
  },
})

const retention = defineCommand({
  meta: {
    name: 'retention',
    description:
      'Shows where listeners of an item stop. Example: nocturne analytics retention the-night-ferry --days 90',
  },
  args: {
    ...itemArg,
    ...daysFlag,
    ...jsonFlag,
  },
  run: ({ args }) => {
    const days = periodOf(args.days)
    return withServices(async ({ db }) => {
      await rollUp(db)
      const found = await describeRetention(db, await requireItemId(db, args.item), days)
      print(args, found, () => [
        `${found.contentTitle}: ${pluralize(found.views, 'view')}, ${found.bounceRate} % left at once`,
        ...table(
          found.curve.map(({ percent, second, count }) => [`${percent} %`, clock(second), String(count)]),
        ),
        ...table(found.startPages.map(({ page, starts }) => [`from ${page}`, pluralize(starts, 'start')])),
      ])
    })
  },
})

const conversion = defineCommand({
  meta: {
    name: 'conversion',
    description:
      'Shows how many visitors at the free-reading limit join. Example: nocturne analytics conversion --json',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async (services) => {
      const found = await describeConversion(services.db, await findFreeStoryLimit(services))
      print(args, found, () => [
        `In ${pluralize(found.days, 'day')} ${pluralize(found.atLimit, 'visitor')} used up their ${pluralize(found.freeStoryLimit, 'free story')}.`,
        `${found.joined} joined, ${found.joinedAtLimit} of them after reading up to the limit.`,
      ])
    }),
})

const rollup = defineCommand({
  meta: {
    name: 'rollup',
    description: 'Brings the daily numbers up to date. Example: nocturne analytics rollup --rebuild',
  },
  args: { rebuild: { type: 'boolean', description: 'Count all days again from their events' }, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const { days } = args.rebuild ? await rebuildAll(db) : await rollUp(db)
      if (args.rebuild)
        await recordChange(db, operatorName(), {
          action: 'rebuild',
          subjectType: 'analytics',
          after: { days: days.length },
        })
      print(args, { days }, () => [
        `${pluralize(days.length, 'day')} ${args.rebuild ? 'rebuilt' : 'brought up to date'}.`,
      ])
    }),
})

const prune = defineCommand({
  meta: {
    name: 'prune',
    description: 'Deletes old events; the daily numbers stay. Example: nocturne analytics prune --yes',
  },
  args: {
    days: {
      type: 'string',
      description: 'How many days events are kept, 30 or more',
      default: String(retentionDays),
    },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const days = Number(args.days)
    if (!Number.isInteger(days) || days < 30 || days > 36_500)
      throw new UsageError(`--days ${JSON.stringify(args.days)}: it takes a whole number from 30 on.`)
    const question = `Delete all events older than ${pluralize(days, 'day')}?`
    if (!args.yes && !(await confirm(question))) return printNote('Nothing was deleted.')
    await withServices(async ({ db }) => {
      await rollUp(db)
      const pruned = await pruneAnalytics(db, { days })
      await recordChange(db, operatorName(), {
        action: 'prune',
        subjectType: 'analytics',
        after: { days, ...pruned },
      })
      print(args, pruned, () => [
        `${pluralize(pruned.droppedPartitions.length, 'month')} deleted.`,
        ...pruned.droppedPartitions,
      ])
    })
  },
})

function periodOf(text: string): Period {
  const period = periods.find((each) => String(each) === text)
  if (!period) throw new UsageError(`--days ${JSON.stringify(text)}: it takes ${periods.join(', ')}.`)
  return period
}

export default defineCommand({
  meta: { name: 'analytics', description: 'Usage: summary, searches, retention, conversion, rollup, prune' },
  subCommands: { summary, searches, retention, conversion, rollup, prune },
})
