import type { ArgsDef, CommandDef } from 'citty'
import { UsageError } from '#cli/failure'

export type Found = { command: CommandDef; parent?: CommandDef; words: string[] }

/**
 * Walks down the words to the command they name, so that help and usage errors speak of that one; `words` are
 * those behind it. Throws a UsageError for a name that is none, with the near ones.
 */
export async function findCommand(main: CommandDef, words: readonly string[]): Promise<Found> {
  let command = main
  let parent: CommandDef | undefined
  for (const [at, word] of words.entries()) {
    const all = await resolve(command.subCommands)
    if (!all || word.startsWith('-')) return { command, parent, words: words.slice(at) }
    const next = Object.hasOwn(all, word) ? all[word] : undefined
    if (!next) throw noCommand(words.slice(0, at + 1), Object.keys(all))
    parent = command
    command = await resolve(next)
  }
  return { command, parent, words: [] }
}

async function resolve<T>(value: T | Promise<T> | (() => T | Promise<T>)): Promise<T> {
  return value instanceof Function ? value() : value
}

function noCommand(words: readonly string[], names: readonly string[]): UsageError {
  const near = nearOnes(words.at(-1) ?? '', names)
  const mend = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ')}.`
  const help = `See ${['nocturne', ...words.slice(0, -1)].join(' ')} --help.`
  return new UsageError(`There is no command ${JSON.stringify(words.join(' '))}. ${mend} ${help}`)
}

/**
 * Throws a UsageError for an option that the command does not have: one that was meant to hold it back, such as
 * a misspelt --dry-run, must not be passed over.
 */
export async function refuseUnknownOptions({ command, words }: Found): Promise<void> {
  const args: ArgsDef = (await resolve(command.args)) ?? {}
  const options = Object.keys(args).filter((name) => args[name]?.type !== 'positional')
  const end = words.indexOf('--')
  for (const word of end < 0 ? words : words.slice(0, end)) {
    const [, dashes, name] = word.match(/^(--?)([a-z][^=]*)/i) ?? []
    if (name === undefined || (dashes === '--' && isOption(name, options, args))) continue
    const near = nearOnes(name, options).map((each) => `--${each}`)
    throw new UsageError(
      `There is no option ${dashes}${name}. ${near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : ''}See --help.`,
    )
  }
}

function isOption(name: string, options: readonly string[], args: ArgsDef): boolean {
  if (options.includes(name)) return true
  const positive = name.match(/^no-(.+)/)?.[1]
  return positive !== undefined && args[positive]?.type === 'boolean'
}

/** Names that a slip of the fingers away, or that begin alike. */
export function nearOnes(word: string, names: readonly string[]): string[] {
  const isNear = (name: string) =>
    (word.length > 1 && name.startsWith(word)) ||
    (name.length > 2 && word.startsWith(name)) ||
    distance(word.toLowerCase(), name) <= (name.length > 4 ? 2 : 1)
  return names.filter(isNear).slice(0, 3)
}

/** Levenshtein's: letters to put in, take out or change. */
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
