import { readText } from '#cli/read-text'
import { choiceOf } from '#cli/value-hints'
import { definitionOf, type ItemField, itemFieldNames } from '#src/story/fields'
import { readList } from '#src/text/tidy-text'

/** The fields of an item that have an option, in addition to its title and text. */
const optional = itemFieldNames.flatMap((field) => {
  const { option } = definitionOf(field)
  return option ? [{ field, ...option }] : []
})

export const fieldFlags = Object.fromEntries(
  optional.map(({ field, name, words, values }) => [
    name,
    {
      type: definitionOf(field).kind === 'yesNo' ? 'boolean' : 'string',
      ...(values ? choiceOf(values, words) : { description: words }),
    } as const,
  ]),
)

/** Returns the options as fields of the API, whose schema validates them. */
export function readFields(args: Record<string, unknown>): Record<string, unknown> {
  const given = optional.filter(({ name }) => args[name] !== undefined)
  return Object.fromEntries(given.map(({ field, name }) => [field, readOption(field, args[name])]))
}

function readOption(field: ItemField, given: unknown): unknown {
  const { kind } = definitionOf(field)
  if (kind === 'list') return readList(String(given))
  return kind === 'minutes' ? numberOrText(String(given)) : given
}

/** Parses a number. Other text is returned unchanged, because the schema has the better error message. */
function numberOrText(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

/** Reads the text of an item from a file or standard input. */
export async function readContent(file: string | undefined): Promise<{ content?: string }> {
  return file === undefined ? {} : { content: await readText(file) }
}
