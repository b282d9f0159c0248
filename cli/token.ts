import { defineCommand } from 'citty'
import { confirm, yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { operatorName, withServices } from '#cli/with-services'
import { readEnv } from '#src/env'
import { requireRotatable, rotateToken } from '#src/operator/rotate-token'
import {
  countOperatorSessions,
  endOperatorSession,
  endOtherOperatorSessions,
  listOperatorSessions,
} from '#src/operator/session'
import { loadSecrets } from '#src/security/secrets'
import { pluralize } from '#src/text/pluralize'

const show = defineCommand({
  meta: { name: 'show', description: "Prints the operator's token. Example: nocturne token show" },
  args: jsonFlag,
  run({ args }) {
    const secrets = loadSecrets(readEnv())
    if (secrets.operatorTokenFile === null)
      return print(args, { source: 'ADMIN_TOKEN' }, () => ['The token is set by ADMIN_TOKEN.'])
    print(args, { source: secrets.operatorTokenFile, token: secrets.operatorToken }, () => [
      secrets.operatorToken,
    ])
  },
})

const rotate = defineCommand({
  meta: {
    name: 'rotate',
    description:
      'Makes a new token; the old one, and every session opened with it, stop working. Example: nocturne token rotate --yes',
  },
  args: { ...yesFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async (services) => {
      requireRotatable(services)
      const open = countWords(await countOperatorSessions(services))
      if (!args.yes && !(await confirm(`Make a new token? ${open} and every script with the old one end.`)))
        return printNote('The token stays as it is.')
      const { token, sessionsEnded } = await rotateToken(services, operatorName())
      printNote(`${countWords(sessionsEnded)} ended.`)
      print(args, { token, sessionsEnded }, () => [token])
    }),
})

const sessions = defineCommand({
  meta: {
    name: 'sessions',
    description: 'Lists where operators are signed in. Example: nocturne token sessions',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async (services) => {
      const open = await listOperatorSessions(services, null)
      print(args, open, () => [
        ...table(
          open.map(({ id, name, device, startedAt, lastSeenAt }) => [
            id,
            name,
            device,
            `since ${startedAt.slice(0, 16)}`,
            `last seen ${lastSeenAt.slice(0, 16)}`,
          ]),
        ),
        countWords(open.length),
      ])
    }),
})

const end = defineCommand({
  meta: {
    name: 'end',
    description:
      'Ends a session of an operator, or all of them. Example: nocturne token end 9f3c0d2f6b8c1e57 --yes · nocturne token end --all --yes',
  },
  args: {
    id: { type: 'positional', description: 'As nocturne token sessions lists it', required: false },
    all: { type: 'boolean', description: 'Every session', default: false },
    ...yesFlag,
    ...jsonFlag,
  },
  run: async ({ args: { id, all, yes, json } }) => {
    if (Boolean(id) === all) throw new UsageError('Name a session, or --all for every one.')
    if (!yes && !(await confirm(id ? `End session ${id}?` : 'End every operator session?'))) return
    await withServices(async (services) => {
      if (id) await endOperatorSession(services, id, operatorName())
      const ended = id ? 1 : await endOtherOperatorSessions(services, operatorName(), null)
      print({ json }, { ended }, () => [`${countWords(ended)} ended.`])
    })
  },
})

function countWords(count: number): string {
  return pluralize(count, 'operator session')
}

export default defineCommand({
  meta: { name: 'token', description: "The operator's token and sessions: show, rotate, sessions, end" },
  subCommands: { show, rotate, sessions, end },
})
