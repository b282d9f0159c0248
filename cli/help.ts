import type { ArgDef, ArgsDef, CommandDef } from 'citty'
import { type Found, resolve } from '#cli/find-command'

const columnsMax = 100
const indent = '  '

export type Entry = { name: string; text: string }

/**
 * Returns the help of a command in lines of at most 100 columns, fewer on a narrow terminal. `heading` styles headings;
 * in pipes and files it does nothing.
 */
export async function helpOf(
  { name, command }: Pick<Found, 'name' | 'command'>,
  { columns = columnsMax, heading = (text: string) => text } = {},
): Promise<string[]> {
  const width = Math.max(40, Math.min(columnsMax, columns))
  const { text, examples } = await describe(command)
  const args: ArgsDef = (await resolve(command.args)) ?? {}
  const commands = await listCommands(command)
  const part = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ['', heading(title), ...lines] : []
  return [
    ...wrap(text, width),
    '',
    `${heading('Usage')}  ${[name, ...placesOf(commands, args)].join(' ')}`,
    ...part('Commands', entryLines(commands, width)),
    ...part('Arguments', entryLines(argumentsOf(args, isPositional), width)),
    ...part('Options', entryLines(argumentsOf(args, isOption), width)),
    ...part(
      examples.length > 1 ? 'Examples' : 'Example',
      examples.flatMap((example) => shellLines(example, width)),
    ),
    ...(commands.length > 0 ? ['', `${name} <command> --help has more about one.`] : []),
  ]
}

/** Splits a description into the text and the examples, which follow `Example:`. */
export async function describe(command: CommandDef): Promise<{ text: string; examples: string[] }> {
  const { description = '' } = (await resolve(command.meta)) ?? {}
  const [text = '', examples = ''] = description.split(/ ?Examples?: /)
  return { text, examples: examples.split(' · ').filter(Boolean) }
}

export async function listCommands(command: CommandDef): Promise<Entry[]> {
  const all = Object.entries((await resolve(command.subCommands)) ?? {})
  return Promise.all(
    all.map(async ([name, each]) => ({ name, text: (await describe(await resolve(each))).text })),
  )
}

/** Returns the arguments that follow a command's name in its usage line. */
function placesOf(commands: readonly Entry[], args: ArgsDef): string[] {
  const places = Object.entries(args).flatMap(([place, arg]) => {
    if (!isPositional(arg)) return []
    return arg.required === false ? `[${place.toUpperCase()}]` : place.toUpperCase()
  })
  const options = Object.values(args).some(isOption) ? ['[options]'] : []
  return [...(commands.length > 0 ? ['<command>'] : []), ...places, ...options]
}

const isPositional = ({ type }: ArgDef) => type === 'positional'
const isOption = (arg: ArgDef) => !isPositional(arg)

function argumentsOf(args: ArgsDef, isShown: (arg: ArgDef) => boolean): Entry[] {
  return Object.entries(args).flatMap(([name, arg]) => {
    if (!isShown(arg)) return []
    const { description = '', required } = arg
    const notes = [
      ...(isOption(arg) && required ? ['required'] : []),
      ...(typeof arg.default === 'string' && arg.default !== '' ? [`default: ${arg.default}`] : []),
    ]
    return {
      name: isOption(arg) ? `--${name}` : name.toUpperCase(),
      text: notes.length > 0 ? `${description} (${notes.join(', ')})` : description,
    }
  })
}

/** Formats entries in two columns: names and meanings. */
function entryLines(entries: readonly Entry[], width: number): string[] {
  const column = Math.max(0, ...entries.map(({ name }) => name.length))
  return entries.flatMap(({ name, text }) => {
    const [first = '', ...rest] = wrap(text, width - column - 2 * indent.length)
    const gap = ' '.repeat(indent.length + column + indent.length)
    return [`${indent}${name.padEnd(column)}${indent}${first}`.trimEnd(), ...rest.map((line) => gap + line)]
  })
}

/** Formats an example for a shell. A long one continues after a backslash, never within quotes. */
function shellLines(example: string, width: number): string[] {
  const words = example.match(/(?:[^\s"]|"[^"]*")+/g) ?? []
  const lines = fill(words, width - 2 * indent.length - 2)
  return lines.map(
    (line, at) => `${indent}${at > 0 ? indent : ''}${line}${at < lines.length - 1 ? ' \\' : ''}`,
  )
}

function wrap(text: string, width: number): string[] {
  return fill(text.split(' '), width)
}

function fill(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
