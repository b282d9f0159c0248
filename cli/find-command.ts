import type { CommandDef } from 'citty'
import { UsageError } from '#cli/failure'

/** `name` is the full command: "nocturne stories list". */
export type Found = { name: string; command: CommandDef; parent?: CommandDef; words: string[] }

/**
 * Resolves the leading words to a command, so that help and usage errors are about that command; `words` are the
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

/** Names within a small edit distance, or with the same beginning. */
export function nearOnes(word: string, names: readonly string[]): string[] {
  const isNear = (name: string) =>
    (word.length > 1 && name.startsWith(word)) ||
    (name.length > 2 && word.startsWith(name)) ||
    distance(word.toLowerCase(), name) <= (name.length > 4 ? 2 : 1)
  return names.filter(isNear).slice(0, 3)
}

/** Levenshtein distance: insertions, deletions and substitutions of letters. */
function distance(a: string, b: string): number {
  let above = [...b, ''].map((_, at) => at)
  for (const [row, letter] of [...a].entries()) {
    const line = [row + 1]
    for (const [at, other] of [...b].entries())
      line.push(
        Math.min(
          (above[at] ?? 0) + (letter === other ? 0 : 1),
          (above[at + 1] ?? 0) + 1,
          (line[at] ?? 0) + 1,
        ),
      )
    above = line
  }
  return above.at(-1) ?? 0
}
