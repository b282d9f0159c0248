import { defineCommand } from 'citty'
import { readList } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, say } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import type { Database } from '#db/db'
import { editChallenge, removeChallenge } from '#src/challenge/edit'
import { requireChallengeId } from '#src/challenge/queries'
import { ChallengeDraft } from '#src/challenge/schema'
import { requireShape } from '#src/require-shape'
import { challengeArg, itemIds, requireOne } from './find'

export const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Changes a challenge for everyone in it; what is left out stays, and so do completed days. Example: nocturne challenges edit "Two Evenings" --name "Three Evenings" --days the-night-ferry,slow-train-north,the-lamp',
  },
  args: {
    ...challengeArg,
    name: { type: 'string', description: 'What it is called' },
    description: { type: 'string', description: 'A sentence or two about it' },
    days: { type: 'string', description: 'The slug or id of the item of each day, with commas between' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const { name, description, days } = args
    if (name === undefined && description === undefined && days === undefined)
      throw new UsageError('Nothing would change: give --name, --description or --days.')
    await change(args, async (db) => ({
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(days !== undefined && { items: await itemIds(db, readList(days)) }),
    }))
  },
})

export const publish = defineCommand({
  meta: {
    name: 'publish',
    description: 'Shows a challenge to everyone. Example: nocturne challenges publish "Two Evenings"',
  },
  args: { ...challengeArg, ...jsonFlag },
  run: ({ args }) => change(args, async () => ({ isPublished: true })),
})

export const unpublish = defineCommand({
  meta: {
    name: 'unpublish',
    description:
      'Makes a challenge a draft again; how far its members are is kept. Example: nocturne challenges unpublish "Two Evenings"',
  },
  args: { ...challengeArg, ...jsonFlag },
  run: ({ args }) => change(args, async () => ({ isPublished: false })),
})

/** The API takes a challenge whole: what a command leaves out is as it was. */
async function change(
  { challenge, json }: { challenge: string; json: boolean },
  changesOf: (db: Database) => Promise<Partial<ChallengeDraft>>,
): Promise<void> {
  await withParts(async ({ db }) => {
    const { id, name, description, days, isPublished } = await requireOne(db, challenge)
    const before = { name, description, items: days.map((day) => day.id), isPublished }
    const draft = requireShape(ChallengeDraft, { ...before, ...(await changesOf(db)) })
    const changed = await editChallenge(db, id, draft, operatorName())
    print(json, changed, () => [`${changed.id}  ${changed.name}`])
    say(changed.isPublished ? 'Challenge published' : 'Draft saved')
  })
}

export const remove = defineCommand({
  meta: {
    name: 'remove',
    description:
      'Removes a challenge, with how far its members were. Example: nocturne challenges remove "Two Evenings" --yes',
  },
  args: { ...challengeArg, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    const question = `Remove ${args.challenge}, with how far its members are? Nothing brings it back.`
    if (!args.yes && !(await confirm(question))) return
    await withParts(async ({ db }) => {
      const id = await requireChallengeId(db, args.challenge)
      await removeChallenge(db, id, operatorName())
      print(args.json, { id, removed: true }, () => ['Challenge removed'])
    })
  },
})
