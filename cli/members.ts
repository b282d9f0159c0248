import { defineCommand } from 'citty'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, say, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { deleteMember } from '#src/member/delete'
import { exportMember } from '#src/member/export'
import { requireMember } from '#src/member/find-member'
import { countMembers, listMembers } from '#src/member/list-members'
import { memberStates } from '#src/member/operator-schema'
import { liftSuspension, signOutEverywhere, suspendMember } from '#src/member/suspend'
import { recordChange } from '#src/operator/audit'

const who = { type: 'positional', description: "The member's e-mail or id", required: true } as const

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists members, the newest first. Example: nocturne members list mara --json',
  },
  args: {
    q: { type: 'positional', description: 'Beginnings of an e-mail or a name', required: false },
    state: { type: 'string', description: memberStates.join(', ') },
    limit: { type: 'string', description: 'At most so many', default: '50' },
    cursor: { type: 'string', description: 'The last id of the page before' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const state = memberStates.find((each) => each === args.state)
    if (args.state !== undefined && !state)
      throw new UsageError(`--state takes ${memberStates.join(' or ')}.`)
    const limit = Number(args.limit)
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit takes a whole number from 1.')
    return withParts(async ({ db }) => {
      const filter = { q: args.q, state }
      const members = await listMembers(db, { ...filter, limit, before: args.cursor })
      const { count, isMore } = await countMembers(db, filter)
      print(args.json, members, () => [
        ...table(
          members.map((each) => [
            each.id,
            each.email ?? '',
            [each.firstName, each.lastName].filter(Boolean).join(' '),
            each.createdAt.toISOString().slice(0, 10),
            each.suspendedAt ? `suspended: ${each.suspensionReason ?? ''}` : '',
          ]),
        ),
        `${members.length} of ${count}${isMore ? ' and more' : ''}`,
      ])
    })
  },
})

const exportZip = defineCommand({
  meta: {
    name: 'export',
    description:
      'Writes everything that is held about a member as one zip. Example: nocturne members export mara@example.com --out mara.zip',
  },
  args: {
    who,
    out: { type: 'string', description: 'The file; without it one is named by site and day' },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withParts(async (parts) => {
      const member = await requireMember(parts.db, args.who)
      const { fileName, zip } = await exportMember(parts, member.id)
      const subject = { action: 'export', subjectType: 'member', subjectId: member.id }
      await recordChange(parts.db, operatorName(), subject)
      const file = args.out ?? fileName
      const bytes = await Bun.write(file, new Response(zip))
      print(args.json, { file, bytes }, () => [file])
    }),
})

const remove = defineCommand({
  meta: {
    name: 'delete',
    description:
      'Deletes a member for good, with all that is theirs. Example: nocturne members delete mara@example.com --yes',
  },
  args: { who, yes: { type: 'boolean', description: 'Do not ask', default: false }, ...jsonFlag },
  run: ({ args }) =>
    withParts(async (parts) => {
      const member = await requireMember(parts.db, args.who)
      if (!args.yes && !(await isTypedAgain(member.email ?? member.id))) return say('Nothing was deleted.')
      await deleteMember(parts, member.id, operatorName())
      print(args.json, { id: member.id, deleted: true }, () => ['The member is deleted.'])
    }),
})

async function isTypedAgain(name: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('This deletes everything of the member. Add --yes to do it without a question.')
  const { consola } = await import('consola')
  const typed = await consola.prompt(`Type ${name} to delete this member for good:`, { type: 'text' })
  return String(typed).trim() === name
}

const suspend = defineCommand({
  meta: {
    name: 'suspend',
    description:
      'Keeps a member out; they are told why. Example: nocturne members suspend mara@example.com --reason "Several reports of unkind comments."',
  },
  args: {
    who,
    reason: { type: 'string', description: 'What the member is told', required: true },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const { id } = await requireMember(db, args.who)
      await suspendMember(db, id, args.reason, operatorName())
      print(args.json, { id, suspended: true }, () => ['Suspended, and signed out everywhere.'])
    }),
})

const lift = defineCommand({
  meta: {
    name: 'lift',
    description: 'Lets a suspended member in again. Example: nocturne members lift mara@example.com',
  },
  args: { who, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const { id } = await requireMember(db, args.who)
      await liftSuspension(db, id, operatorName())
      print(args.json, { id, suspended: false }, () => ['The suspension is lifted.'])
    }),
})

const signOut = defineCommand({
  meta: {
    name: 'sign-out',
    description: 'Ends all sessions of a member. Example: nocturne members sign-out mara@example.com',
  },
  args: { who, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const { id } = await requireMember(db, args.who)
      await signOutEverywhere(db, id, operatorName())
      print(args.json, { id, signedOut: true }, () => ['Signed out everywhere.'])
    }),
})

export default defineCommand({
  meta: { name: 'members', description: 'Members: list, export, delete, suspend, lift, sign-out' },
  subCommands: { list, export: exportZip, delete: remove, suspend, lift, 'sign-out': signOut },
})
