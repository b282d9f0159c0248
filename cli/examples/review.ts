import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print } from '#cli/output'
import { readText } from '#cli/read-text'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { removeExample, reviewExample } from '#src/example/examples'
import { qualityRating } from '#src/example/rules'
import { ExampleReview } from '#src/example/schema'
import { requireShape } from '#src/shape/validate'

const idArg = { id: { type: 'positional', description: "The example's id", required: true } } as const

export const approve = defineCommand({
  meta: {
    name: 'approve',
    description:
      'Approves an example: it is in the prompts from then on. Example: nocturne examples approve 019c…',
  },
  args: { ...idArg, ...jsonFlag },
  run: ({ args }) => review(args, { isApproved: true }, 'Approved.'),
})

export const withdraw = defineCommand({
  meta: {
    name: 'withdraw',
    description: 'Withdraws an approval. Example: nocturne examples withdraw 019c…',
  },
  args: { ...idArg, ...jsonFlag },
  run: ({ args }) => review(args, { isApproved: false }, 'No longer approved.'),
})

export const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Rates an example, and records its result; what you leave out stays. Example: nocturne examples edit 019c… --rating 4 --notes "Slower at the end" --actual came-out.txt',
  },
  args: {
    ...idArg,
    rating: { type: 'string', description: `${qualityRating.min} to ${qualityRating.max}, or none` },
    notes: { type: 'string', description: 'Improvement notes' },
    actual: { type: 'string', ...fileNamed('A file with what the model wrote, or - for standard input') },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const changes = {
      ...(args.rating !== undefined && { qualityRating: readRating(args.rating) }),
      ...(args.notes !== undefined && { improvementNotes: args.notes }),
      ...(args.actual !== undefined && { actualOutput: await readText(args.actual) }),
    }
    if (Object.keys(changes).length === 0)
      throw new UsageError('Nothing would change: give --rating, --notes or --actual.')
    await review(args, requireShape(ExampleReview, changes), 'Saved.')
  },
})

function readRating(text: string): number | null {
  if (text === 'none') return null
  const { min, max } = qualityRating
  const rating = Number(text)
  if (!Number.isInteger(rating) || rating < min || rating > max)
    throw new UsageError(`--rating takes a whole number from ${min} to ${max}, or none.`)
  return rating
}

async function review(
  { id, json }: { id: string; json: boolean },
  changes: ExampleReview,
  done: string,
): Promise<void> {
  await withServices(async ({ db }) => {
    const example = await reviewExample(db, id, changes, operatorName())
    print({ json }, example, () => [done])
  })
}

export const remove = defineCommand({
  meta: { name: 'remove', description: 'Removes an example. Example: nocturne examples remove 019c… --yes' },
  args: { ...idArg, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Remove the example ${args.id}?`))) return
    await withServices(async ({ db }) => {
      await removeExample(db, args.id, operatorName())
      print(args, { id: args.id, removed: true }, () => ['Training example removed'])
    })
  },
})
