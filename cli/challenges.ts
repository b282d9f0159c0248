import { defineCommand } from 'citty'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, say, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { createChallenge } from '#src/challenge/edit'
import { listAllChallenges } from '#src/challenge/queries'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the challenges, drafts too. Example: nocturne challenges list --json',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const challenges = await listAllChallenges(db)
      print(args.json, challenges, () => [
        ...table(
          challenges.map((each) => [
            each.id,
            each.isPublished ? 'published' : 'draft',
            `${each.totalDays} days`,
            `${each.members} members`,
            each.name,
          ]),
        ),
        `${challenges.length} challenges`,
      ])
    }),
})

const create = defineCommand({
  meta: {
    name: 'create',
    description:
      'Makes a challenge of items of the library, a day each. Example: nocturne challenges create "Two Evenings" 019c… 019d… --publish',
  },
  args: {
    name: { type: 'positional', description: 'What it is called', required: true },
    description: { type: 'string', description: 'A sentence or two about it' },
    publish: { type: 'boolean', description: 'Publish it at once', default: false },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const [name = '', ...items] = args._
    if (!name.trim() || items.length === 0)
      throw new UsageError('Give a name, and the id of an item for each day.')
    await withParts(async ({ db }) => {
      const draft = { name, description: args.description ?? '', items, isPublished: args.publish }
      const challenge = await createChallenge(db, draft, operatorName())
      print(args.json, challenge, () => [challenge.id])
      say(challenge.isPublished ? 'Challenge published' : 'Draft saved')
    })
  },
})

export default defineCommand({
  meta: { name: 'challenges', description: 'Makes challenges, and lists them' },
  subCommands: { list, create },
})
