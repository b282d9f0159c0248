import { defineCommand } from 'citty'
import { jsonFlag, print } from '#cli/output'
import { itemArg } from '#cli/stories/item'
import { operatorName, withParts } from '#cli/with-parts'
import { approveHeld, listHeld, refuseHeld } from '#src/guideline/review'
import { requireItemId } from '#src/story/find-item-id'

export const held = defineCommand({
  meta: {
    name: 'held',
    description:
      'Lists what is held for review, the longest waiting first. Example: nocturne guidelines held',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const { held: items, nextCursor } = await listHeld(db)
      print(args.json, items, () => [
        ...items.flatMap((item) => [
          `${item.id}  ${item.title}`,
          ...item.findings.map((each) => `  ${each.severity}: ${each.description}`),
        ]),
        nextCursor ? `The first ${items.length}; more wait behind them.` : `${items.length} held`,
      ])
    }),
})

export const approve = defineCommand({
  meta: {
    name: 'approve',
    description:
      'Lets a held item go on to what it was to be. Example: nocturne guidelines approve the-night-ferry',
  },
  args: { ...itemArg, ...jsonFlag },
  run: ({ args }) =>
    withParts(async (parts) => {
      const id = await requireItemId(parts.db, args.item)
      const { status } = await approveHeld(parts, id, operatorName())
      print(args.json, { id, status }, () => [`Approved: ${status}.`])
    }),
})

export const refuse = defineCommand({
  meta: {
    name: 'refuse',
    description:
      'Takes a held item out of the library; a member is told why. Example: nocturne guidelines refuse the-night-ferry --reason "Not about adults by its words"',
  },
  args: { ...itemArg, reason: { type: 'string', description: 'What its maker is told' }, ...jsonFlag },
  run: ({ args }) =>
    withParts(async (parts) => {
      const id = await requireItemId(parts.db, args.item)
      const { status } = await refuseHeld(parts, id, operatorName(), args.reason)
      print(args.json, { id, status }, () => ['Refused. Its row is kept.'])
    }),
})
