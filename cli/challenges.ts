import { defineCommand } from 'citty'
import { edit, publish, remove, unpublish } from '#cli/challenges/change'
import { challengeArg, itemIds, requireOne, textFlags } from '#cli/challenges/find'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { followed, sinceFlag } from '#cli/since'
import { operatorName, withServices } from '#cli/with-services'
import { createChallenge } from '#src/challenge/edit'
import { listAllChallenges } from '#src/challenge/queries'
import { ChallengeDraft } from '#src/challenge/schema'
import { requireShape } from '#src/shape/validate'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists all challenges, drafts too. Example: nocturne challenges list --json',
  },
  args: { ...sinceFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const challenges = await followed(args, () => listAllChallenges(db))
      print(args, challenges, () => [
        ...table(
          challenges.map((each) => [
            each.id,
            each.isPublished ? 'published' : 'draft',
            pluralize(each.totalDays, 'day'),
            pluralize(each.members, 'member'),
            each.name,
          ]),
        ),
        pluralize(challenges.length, 'challenge'),
      ])
    }),
})

const show = defineCommand({
  meta: {
    name: 'show',
    description: 'Shows a challenge with its days. Example: nocturne challenges show "Two Evenings"',
  },
  args: { ...challengeArg, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const challenge = await requireOne(db, args.challenge)
      print(args, challenge, () => [
        challenge.name,
        challenge.description,
        `${challenge.isPublished ? 'published' : 'draft'}, ${pluralize(challenge.totalDays, 'day')}, ${challenge.minutes} min`,
        ...table(
          challenge.days.map(({ day, slug, title, isAvailable }) => [
            `Day ${day}`,
            slug,
            isAvailable ? title : `${title} (not in the library now)`,
          ]),
        ),
      ])
    }),
})

const create = defineCommand({
  meta: {
    name: 'create',
    description:
      'Makes a challenge of items of the library, a day each, by slug or id. Example: nocturne challenges create "Two Evenings" the-night-ferry slow-train-north --publish',
  },
  args: {
    name: { ...textFlags.name, type: 'positional', required: true },
    'items…': { type: 'positional', description: 'An item for each day, by slug or id', required: false },
    description: textFlags.description,
    publish: { type: 'boolean', description: 'Publish it at once', default: false },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const [name = '', ...items] = args._
    if (!name.trim() || items.length === 0)
      throw new UsageError('Give a name, and the slug or id of an item for each day.')
    await withServices(async ({ db }) => {
      const draft = { name, description: args.description ?? '', items: await itemIds(db, items) }
      const shaped = requireShape(ChallengeDraft, { ...draft, isPublished: args.publish })
      const challenge = await createChallenge(db, shaped, operatorName())
      print(args, challenge, () => [challenge.id])
      printNote(challenge.isPublished ? 'Challenge published' : 'Draft saved')
    })
  },
})

export default defineCommand({
  meta: {
    name: 'challenges',
    description: 'Challenges: list, show, create, edit, publish, unpublish, remove',
  },
  subCommands: { list, show, create, edit, publish, unpublish, remove },
})
