import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printNote } from '#cli/output'
import { operatorName, withServices } from '#cli/with-services'
import type { Database } from '#db/db'
import { editChallenge, removeChallenge } from '#src/challenge/edit'
import { requireChallengeId } from '#src/challenge/queries'
import { ChallengeDraft, challengeTextNames } from '#src/challenge/schema'
import { pick } from '#src/shape/pick'
import { requireShape } from '#src/shape/validate'
import { readList } from '#src/text/tidy-text'
import { challengeArg, itemIds, requireOne, textFlags } from './find'

export const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Changes a challenge for everyone in it; what you leave out stays, and so do completed days. Example: nocturne challenges edit "Two Evenings" --name "Three Evenings" --days the-night-ferry,slow-train-north,salt-air',
  },
  args: {
    ...challengeArg,
    ...textFlags,
    days: { type: 'string', description: 'The slug or id of the item of each day, with commas between' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const { days } = args
    const texts = challengeTextNames.filter((name) => args[name] !== undefined)
    if (texts.length === 0 && days === undefined)
      throw new UsageError('Nothing would change: give --name, --description or --days.')
    await change(args, async (db) => ({
      ...pick(args, texts),
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
      'Makes a challenge a draft again; the progress of its members stays. Example: nocturne challenges unpublish "Two Evenings"',
  },
  args: { ...challengeArg, ...jsonFlag },
  run: ({ args }) => change(args, async () => ({ isPublished: false })),
})

/** Changes a challenge. The API replaces it as a whole, so fields that the command omits are sent unchanged. */
async function change(
  { challenge, json }: { challenge: string; json: boolean },
  changesOf: (db: Database) => Promise<Partial<ChallengeDraft>>,
): Promise<void> {
  await withServices(async ({ db }) => {
    const { days, ...before } = await requireOne(db, challenge)
    const items = days.map((day) => day.id)
    const draft = { ...pick(before, [...challengeTextNames, 'isPublished']), items, ...(await changesOf(db)) }
    const changed = await editChallenge(db, before.id, requireShape(ChallengeDraft, draft), operatorName())
    print({ json }, changed, () => [`${changed.id}  ${changed.name}`])
    printNote(changed.isPublished ? 'Challenge published' : 'Draft saved')
  })
}

export const remove = defineCommand({
  meta: {
    name: 'remove',
    description:
      'Removes a challenge, with the progress of its members. Example: nocturne challenges remove "Two Evenings" --yes',
  },
  args: { ...challengeArg, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    const question = `Remove ${args.challenge}, with the progress of its members? This cannot be undone.`
    if (!args.yes && !(await confirm(question))) return
    await withServices(async ({ db }) => {
      const id = await requireChallengeId(db, args.challenge)
      await removeChallenge(db, id, operatorName())
      print(args, { id, removed: true }, () => ['Challenge removed'])
    })
  },
})
