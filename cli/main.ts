#!/usr/bin/env bun
import { type CommandDef, defineCommand, runCommand, showUsage } from 'citty'
import { exitCodeOf, explain, UsageError } from '#cli/failure'

const commands = {
  serve: () => import('#cli/serve').then((m) => m.default),
  doctor: () => import('#cli/doctor').then((m) => m.default),
  db: () => import('#cli/db').then((m) => m.default),
  stories: () => import('#cli/stories').then((m) => m.default),
  premium: () => import('#cli/premium').then((m) => m.default),
  imports: () => import('#cli/imports').then((m) => m.default),
  script: () => import('#cli/script').then((m) => m.default),
  narrate: () => import('#cli/narrate').then((m) => m.default),
  jobs: () => import('#cli/jobs').then((m) => m.default),
  analytics: () => import('#cli/analytics').then((m) => m.default),
  beta: () => import('#cli/beta').then((m) => m.default),
  guidelines: () => import('#cli/guidelines').then((m) => m.default),
  feedback: () => import('#cli/feedback').then((m) => m.default),
  moderation: () => import('#cli/moderation').then((m) => m.default),
  model: () => import('#cli/model').then((m) => m.default),
  examples: () => import('#cli/examples').then((m) => m.default),
  challenges: () => import('#cli/challenges').then((m) => m.default),
  members: () => import('#cli/members').then((m) => m.default),
  flags: () => import('#cli/flags').then((m) => m.default),
  audit: () => import('#cli/audit').then((m) => m.default),
  token: () => import('#cli/token').then((m) => m.default),
}

const main: CommandDef = defineCommand({
  meta: {
    name: 'nocturne',
    version: '0.1.0',
    description: 'Runs and looks after a Nocturne library, beside the server or without it.',
  },
  subCommands: commands,
})

/** Walks down the words to the command they name, so that help and usage errors speak of that one. */
async function findCommand(
  words: readonly string[],
): Promise<{ command: CommandDef; parent?: CommandDef; isUnknown: string | null }> {
  let command: CommandDef = main
  let parent: CommandDef | undefined
  for (const word of words) {
    const all = await resolve(command.subCommands)
    if (!all || word.startsWith('-')) break
    const next = all[word]
    if (!next) return { command, parent, isUnknown: word }
    parent = command
    command = await resolve(next)
  }
  return { command, parent, isUnknown: null }
}

async function resolve<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return value instanceof Function ? value() : value
}

try {
  const words = process.argv.slice(2)
  const { command, parent, isUnknown } = await findCommand(words)
  const isHelp = words.includes('--help') || words.includes('-h')
  if (isUnknown !== null && !isHelp)
    throw new UsageError(`There is no command ${JSON.stringify(isUnknown)}. See nocturne --help.`)
  if (isHelp || (command.subCommands && !command.run)) {
    await showUsage(command, parent)
    process.exit(isHelp || words.length === 0 ? 0 : 2)
  }
  await runCommand(main, { rawArgs: words })
  process.exit(process.exitCode ?? 0)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(exitCodeOf(error))
}
