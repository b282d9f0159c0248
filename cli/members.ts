import { existsSync } from 'node:fs'
import { defineCommand } from 'citty'
import { changeCommand } from '#cli/change-rows'
import { choose, chooseNumber } from '#cli/choose'
import { canAsk, confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printCount, printCursor, printNote, table, visible } from '#cli/output'
import { sinceFlag, sinceOf } from '#cli/since'
import { choiceOf, fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { AppError } from '#src/app-error'
import { type ListedMember, listMemberChanges, listMembers } from '#src/member/console/list-members'
import { memberStates } from '#src/member/console/operator-schema'
import { liftSuspension, signOutEverywhere, suspendMember } from '#src/member/console/suspend'
import { deleteMember } from '#src/member/data/delete'
import { exportMember } from '#src/member/data/export'
import { requireMember } from '#src/member/find-member'
import { recordChange } from '#src/operator/audit'
import { writeWhole } from '#src/storage/whole-file'

/** Lists with more members are read in pages. */
const listedAtOnceMax = 5_000

const who = { type: 'positional', description: "The member's email or id", required: true } as const

const list = defineCommand({
  meta: {
    name: 'list',
    description:
      'Lists members, the newest first. Examples: nocturne members list mara --json · nocturne members list --updated-since 2026-11-01T00:00:00Z',
  },
  args: {
    q: { type: 'positional', description: 'The beginning of an email or a name', required: false },
    state: { type: 'string', ...choiceOf(memberStates) },
    limit: { type: 'string', description: 'How many', default: '50' },
    cursor: {
      type: 'string',
      description: 'The last id of the page before; for changes, the cursor it printed',
    },
    ...sinceFlag,
    ...jsonFlag,
  },
  run: ({ args }) => {
    const state = args.state === undefined ? undefined : choose('state', memberStates, args.state)
    const limit = chooseNumber('limit', args.limit, { min: 1, max: listedAtOnceMax })
    return withServices(async ({ db }) => {
      const filter = { q: args.q, state }
      const since = sinceOf(args)
      if (since) {
        const { members, nextCursor } = await listMemberChanges(
          db,
          { ...filter, limit, cursor: args.cursor },
          since,
        )
        print(args, members, () => table(members.map(lineOf)))
        printNote(`Changed: ${members.length}`)
        printCursor(nextCursor)
        return
      }
      const { members, ...page } = await listMembers(db, { ...filter, limit, cursor: args.cursor })
      print(args, members, () => table(members.map(lineOf)))
      printCount(members.length, page, 'member')
    })
  },
})

function lineOf(member: ListedMember): string[] {
  return [
    member.id,
    member.email ?? '',
    [member.firstName, member.lastName].filter(Boolean).join(' '),
    member.createdAt.toISOString().slice(0, 10),
    member.suspendedAt ? `suspended: ${member.suspensionReason ?? ''}` : '',
  ]
}

const exportZip = defineCommand({
  meta: {
    name: 'export',
    description:
      'Writes all data about a member into one zip. Example: nocturne members export mara@example.com --out mara.zip',
  },
  args: {
    who,
    out: { type: 'string', ...fileNamed('A file; by default named after the site and the day') },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async (services) => {
      const member = await requireMember(services.db, args.who)
      const { fileName, zip } = await exportMember(services, member.id)
      if (args.out === undefined && existsSync(fileName))
        throw new AppError('already_exists', `${fileName} is there already. Name another file with --out.`)
      const subject = { action: 'export', subjectType: 'member', subjectId: member.id } as const
      await recordChange(services.db, operatorName(), subject)
      const file = args.out ?? fileName
      const bytes = await writeWhole(file, zip)
      print(args, { file, bytes }, () => [file])
    }),
})

const remove = defineCommand({
  meta: {
    name: 'delete',
    description:
      'Deletes a member for good, with everything of theirs. Example: nocturne members delete mara@example.com --yes',
  },
  args: { who, ...yesFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async (services) => {
      const member = await requireMember(services.db, args.who)
      if (!args.yes && !(await isTypedAgain(member.email ?? member.id)))
        return printNote('Nothing was deleted.')
      await deleteMember(services, member.id, operatorName())
      print(args, { id: member.id, deleted: true }, () => ['The member is deleted.'])
    }),
})

async function isTypedAgain(name: string): Promise<boolean> {
  if (!canAsk())
    throw new UsageError('This deletes everything of the member. Add --yes to skip the question.')
  const { consola } = await import('consola')
  const typed = await consola.prompt(`Type ${visible(name)} to delete this member for good:`, {
    type: 'text',
  })
  return String(typed).trim() === name
}

const suspend = defineCommand({
  meta: {
    name: 'suspend',
    description:
      'Suspends a member; they are told why. Example: nocturne members suspend mara@example.com --reason "Several reports of unkind comments."',
  },
  args: {
    who,
    reason: { type: 'string', description: 'What the member is told', required: true },
    ...jsonFlag,
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const { id } = await requireMember(db, args.who)
      await suspendMember(db, id, args.reason, operatorName())
      print(args, { id, suspended: true }, () => ['Suspended, and signed out everywhere.'])
    }),
})

const lift = defineCommand({
  meta: {
    name: 'lift',
    description: 'Lifts the suspension of a member. Example: nocturne members lift mara@example.com',
  },
  args: { who, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const { id } = await requireMember(db, args.who)
      await liftSuspension(db, id, operatorName())
      print(args, { id, suspended: false }, () => ['The suspension is lifted.'])
    }),
})

const signOut = defineCommand({
  meta: {
    name: 'sign-out',
    description:
      'Ends all sessions and private feeds of a member. Example: nocturne members sign-out mara@example.com --yes',
  },
  args: { who, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`End all sessions and private feeds of ${args.who}?`))) return
    await withServices(async ({ db }) => {
      const { id } = await requireMember(db, args.who)
      const ended = await signOutEverywhere(db, id, operatorName())
      print(args, { id, signedOut: true, ended }, () => [
        'Signed out everywhere. Private feeds have ended too.',
      ])
    })
  },
})

export default defineCommand({
  meta: { name: 'members', description: 'Members: list, export, delete, suspend, lift, sign-out, change' },
  subCommands: {
    list,
    export: exportZip,
    delete: remove,
    suspend,
    lift,
    'sign-out': signOut,
    change: changeCommand('members', 'nocturne members change lift --q mara'),
  },
})
