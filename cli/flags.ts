import { defineCommand } from 'citty'
import { Value } from 'typebox/value'
import { choose } from '#cli/choose'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, table } from '#cli/output'
import { followed, sinceFlag } from '#cli/since'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { changeFlags, listFlags } from '#src/feature-flag/change'
import { flagNames } from '#src/feature-flag/rules'
import { FlagChanges, type ListedFlag } from '#src/feature-flag/schema'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists all flags, and who changed them. Example: nocturne flags list --json',
  },
  args: { ...sinceFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async (services) => {
      const flags = await followed(args, () => listFlags(services))
      print(args, flags, () => lines(flags))
    }),
})

const set = defineCommand({
  meta: {
    name: 'set',
    description:
      'Sets a flag, or restores its default. The server follows within seconds. Example: nocturne flags set freeStoryLimit 5 · nocturne flags set freeStoryLimit default',
  },
  args: {
    name: { type: 'positional', ...choiceOf(flagNames), required: true },
    value: {
      type: 'positional',
      ...choiceOf(['on', 'off', 'default'], 'A number, on, off or default'),
      required: true,
    },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const changes = readChanges(args.name, args.value)
    return withServices(async (services) => {
      const flags = await changeFlags(services, changes, operatorName())
      print(args, flags, () => lines(flags))
    })
  },
})

/** Parses the words of a command as a change. Throws a UsageError for a value that the flag does not accept. */
function readChanges(given: string, text: string): FlagChanges {
  const name = choose('flag', flagNames, given)
  const changes = { [name]: wordAsValue(text) }
  if (!Value.Check(FlagChanges, changes))
    throw new UsageError(
      `${name} does not take ${JSON.stringify(text)}. Use ${name === 'freeStoryLimit' ? 'a whole number from 0 to 1000' : 'on or off'}, or default.`,
    )
  return changes
}

function wordAsValue(text: string): ListedFlag['value'] | null | string {
  if (text === 'default') return null
  if (/^\d{1,6}$/.test(text)) return Number(text)
  if (text === 'on' || text === 'true') return true
  return text === 'off' || text === 'false' ? false : text
}

function lines(flags: readonly ListedFlag[]): string[] {
  return table(
    flags.map(({ name, value, isDefault, updatedBy, updatedAt }) => [
      name,
      typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value),
      isDefault ? 'default' : 'set',
      updatedBy ? `${updatedBy}, ${updatedAt}` : '',
    ]),
  )
}

export default defineCommand({
  meta: { name: 'flags', description: 'Feature flags, switched while the program runs: list, set' },
  subCommands: { list, set },
})
