import type { ArgsDef } from 'citty'
import { UsageError } from '#cli/failure'
import { type Found, resolve } from '#cli/find-command'
import { valuesOf } from '#cli/value-hints'
import { nearOnes } from '#src/text/near-ones'

/**
 * Throws a UsageError for arguments that the parser would ignore: an unknown option, an option without its required
 * value, a value after an option that takes none, an extra word. A misspelt --dry-run must not change anything. A
 * positional whose name ends in "…" takes any number of words.
 */
export async function checkWords({ name, command, words }: Found): Promise<void> {
  const args: ArgsDef = (await resolve(command.args)) ?? {}
  const given: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      given.push(...words.slice(at + 1))
      break
    }
    if (!isOption(word)) given.push(word)
    else if (takesNext(word, args, name)) {
      at += 1
      refuseNoValue(word, words[at], name)
    }
  }
  refuseSurplus(given, args, name)
}

/** Whether a word is an option. A lone dash is not: it means standard input. */
function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

/** Whether the word after an option is its value. Throws for an unknown option. */
function takesNext(word: string, args: ArgsDef, name: string): boolean {
  const [, dashes = '', given = '', value] = word.match(/^(--?)([^=]*)(?:=(.*))?$/s) ?? []
  const options = Object.keys(args).filter((each) => args[each]?.type !== 'positional')
  const positive = given.match(/^no-(.+)/)?.[1] ?? ''
  const option = options.includes(given) ? given : args[positive]?.type === 'boolean' ? positive : null
  if (dashes !== '--' || option === null) {
    const near = nearOnes(given, options).map((each) => `--${each}`)
    throw new UsageError(`There is no option ${dashes}${given}. ${didYouMean(near)}See ${name} --help.`)
  }
  if (args[option]?.type !== 'boolean') return value === undefined
  if (value !== undefined && (option !== given || !['true', 'false'].includes(value)))
    throw new UsageError(`--${given} takes no value. Write only --${given}. See ${name} --help.`)
  return false
}

function refuseNoValue(option: string, value: string | undefined, name: string): void {
  if (value === undefined) throw new UsageError(`${option} needs a value. See ${name} --help.`)
  if (/^--?[a-z]/i.test(value))
    throw new UsageError(
      `${option} needs a value before ${value}. Write ${option}=${value} if that is the value. See ${name} --help.`,
    )
}

function refuseSurplus(given: readonly string[], args: ArgsDef, name: string): void {
  const places = Object.keys(args).filter((each) => args[each]?.type === 'positional')
  const word = given[places.length]
  if (word === undefined || places.at(-1)?.endsWith('…')) return
  const takes = places.length > 0 ? places.map((each) => each.toUpperCase()).join(' ') : 'options only'
  const quotes = places.length > 0 ? 'Put quotes around a value with spaces. ' : ''
  throw new UsageError(
    `${JSON.stringify(word)} is a word too many: ${name} takes ${takes}. ${didYouMean(suggestions(word, args))}${quotes}See ${name} --help.`,
  )
}

/**
 * Returns suggestions for a misplaced word: an option without its dashes, a value that an option lists, words to search
 * for.
 */
function suggestions(word: string, args: ArgsDef): string[] {
  const options = Object.entries(args).filter(([, { type }]) => type !== 'positional')
  const names = nearOnes(
    word,
    options.map(([option]) => option),
  )
  if (names.length > 0) return names.map((option) => `--${option}`)
  const listed = options
    .filter(([, arg]) => valuesOf(arg).includes(word))
    .map(([option]) => `--${option} ${word}`)
  if (listed.length > 0) return listed.slice(0, 2)
  return args.q?.type === 'string' ? [`--q ${JSON.stringify(word)}`] : []
}

function didYouMean(near: readonly string[]): string {
  return near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : ''
}
