#!/usr/bin/env bun
import { styleText } from 'node:util'
import { type CommandDef, defineCommand, runCommand } from 'citty'
import { checkWords } from '#cli/check-words'
import { exitCodeOf, explain, failureDocument } from '#cli/failure'
import { type Found, findCommand } from '#cli/find-command'
import { helpOf } from '#cli/help'
import { allSent, print, printNote, printStyled, ReaderGone } from '#cli/output'

const commands = {
  serve: () => import('#cli/serve').then((m) => m.default),
  doctor: () => import('#cli/doctor').then((m) => m.default),
  db: () => import('#cli/db').then((m) => m.default),
  demo: () => import('#cli/demo').then((m) => m.default),
  backup: () => import('#cli/backup').then((m) => m.default),
  restore: () => import('#cli/restore').then((m) => m.default),
  stories: () => import('#cli/stories').then((m) => m.default),
  premium: () => import('#cli/premium').then((m) => m.default),
  imports: () => import('#cli/imports').then((m) => m.default),
  script: () => import('#cli/script').then((m) => m.default),
  narrate: () => import('#cli/narrate').then((m) => m.default),
  voices: () => import('#cli/voices').then((m) => m.default),
  jobs: () => import('#cli/jobs').then((m) => m.default),
  analytics: () => import('#cli/analytics').then((m) => m.default),
  beta: () => import('#cli/beta').then((m) => m.default),
  guidelines: () => import('#cli/guidelines').then((m) => m.default),
  feedback: () => import('#cli/feedback').then((m) => m.default),
  moderation: () => import('#cli/moderation').then((m) => m.default),
  mail: () => import('#cli/mail').then((m) => m.default),
  model: () => import('#cli/model').then((m) => m.default),
  examples: () => import('#cli/examples').then((m) => m.default),
  challenges: () => import('#cli/challenges').then((m) => m.default),
  members: () => import('#cli/members').then((m) => m.default),
  flags: () => import('#cli/flags').then((m) => m.default),
  audit: () => import('#cli/audit').then((m) => m.default),
  secrets: () => import('#cli/secrets').then((m) => m.default),
  token: () => import('#cli/token').then((m) => m.default),
  completion: () => import('#cli/completion').then((m) => m.completionOf(() => main)),
}

const version = '0.1.0'

export const main: CommandDef = defineCommand({
  meta: {
    name: 'nocturne',
    version,
    description: 'Runs and maintains a Nocturne library, with or without the server.',
  },
  subCommands: commands,
})

/** Runs one command line, and prints errors. Returns the exit code. */
export async function runLine(words: readonly string[]): Promise<number> {
  try {
    const code = await run(words)
    await allSent()
    return code
  } catch (error) {
    if (error instanceof ReaderGone) return Number(process.exitCode ?? 0)
    printNote(explain(error))
    if (words.includes('--json')) print({ json: true }, failureDocument(error), () => [])
    await allSent().catch(() => {})
    return exitCodeOf(error)
  }
}

async function run(words: readonly string[]): Promise<number> {
  if (words[0] === '--version') {
    print({ json: false }, null, () => [version])
    return 0
  }
  const found = await findCommand(main, words)
  const { command } = found
  const isHelp = found.words.some((word) => word === '--help' || word === '-h')
  if (!isHelp) await checkWords(found)
  if (isHelp || (command.subCommands && !command.run)) {
    const isAsked = isHelp || words.length === 0
    await printHelp(found, isAsked ? process.stdout : process.stderr)
    return isAsked ? 0 : 2
  }
  await runCommand(command, { rawArgs: found.words })
  return Number(process.exitCode ?? 0)
}

async function printHelp(found: Found, stream: NodeJS.WriteStream): Promise<void> {
  const heading = (text: string) => styleText('bold', text, { stream })
  const lines = await helpOf(found, { columns: stream.columns, heading })
  printStyled(stream, lines)
}

if (import.meta.main) {
  // The writer receives the error of a failed write; the stream's error event would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.exit(await runLine(process.argv.slice(2)))
}
