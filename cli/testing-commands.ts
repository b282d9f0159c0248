import type { CommandDef } from 'citty'
import { findCommand, resolve } from '#cli/find-command'
import { main } from '#cli/main'

export type NamedCommand = { words: string; command: CommandDef }

/** Returns every command that does something, with its words: "stories list". */
export async function everyCommand(): Promise<NamedCommand[]> {
  const all: NamedCommand[] = []
  const walk = async (command: CommandDef, words: string[]) => {
    const verbs = Object.entries(await subCommandsOf(command))
    if (verbs.length === 0) all.push({ words: words.join(' '), command })
    for (const [verb, each] of verbs) await walk(each, [...words, verb])
  }
  await walk(main, [])
  return all
}

export async function subCommandsOf(command: CommandDef): Promise<Record<string, CommandDef>> {
  const found: Record<string, CommandDef> = {}
  for (const name of Object.keys((await resolve(command.subCommands)) ?? {}))
    found[name] = (await findCommand(command, [name])).command
  return found
}

/** Splits a line into words as a shell does, if it contains only spaces and double quotes. */
export function wordsOf(line: string): string[] {
  return (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''))
}
