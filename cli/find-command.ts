import type { CommandDef } from 'citty'
import { UsageError } from '#cli/failure'
import { nearOnes } from '#src/text/near-ones'

/** A resolved command. `name` is its full name: "nocturne stories list". */
export type Found = { name: string; command: CommandDef; parent?: CommandDef; words: string[] }

/**
 * Resolves the leading words to a command, so that help and usage errors are about that command. `words` are the
 * remaining ones. Throws a UsageError with similar names for an unknown command.
 */
export async function findCommand(main: CommandDef, words: readonly string[]): Promise<Found> {
  let command = main
  let parent: CommandDef | undefined
  for (const [at, word] of words.entries()) {
    const all = await resolve(command.subCommands)
    if (!all || word.startsWith('-'))
      return { name: nameOf(words.slice(0, at)), command, parent, words: words.slice(at) }
    const next = Object.hasOwn(all, word) ? all[word] : undefined
    if (!next) throw noCommand(words.slice(0, at + 1), Object.keys(all))
    parent = command
    command = await resolve(next)
  }
  return { name: nameOf(words), command, parent, words: [] }
}

function nameOf(words: readonly string[]): string {
  return ['nocturne', ...words].join(' ')
}

export async function resolve<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return value instanceof Function ? value() : value
}

function noCommand(words: readonly string[], names: readonly string[]): UsageError {
  const near = nearOnes(words.at(-1) ?? '', names)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ')}.`
  const help = `See ${nameOf(words.slice(0, -1))} --help.`
  return new UsageError(`There is no command ${JSON.stringify(words.join(' '))}. ${hint} ${help}`)
}
