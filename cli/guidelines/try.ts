import { defineCommand } from 'citty'
import { chooseAll } from '#cli/choose'
import { jsonFlag, print, table } from '#cli/output'
import { readText } from '#cli/read-text'
import { fileNamed } from '#cli/value-hints'
import { withServices } from '#cli/with-services'
import { TryText } from '#src/guideline/schema'
import { tryGuidelines } from '#src/guideline/try'
import { requireShape } from '#src/shape/validate'
import { categories } from '#src/story/rules'

export const test = defineCommand({
  meta: {
    name: 'test',
    description:
      'Shows what the rules would find in a text, and where. Exit code 1 if it would be refused. Example: nocturne guidelines test story.txt --categories bdsm',
  },
  args: {
    file: { type: 'positional', ...fileNamed('A text file, or - for standard input'), required: true },
    categories: {
      type: 'string',
      description: 'As an item of these categories; by default, every rule is tried',
    },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const text = await readText(args.file)
    const asked =
      args.categories === undefined ? {} : { categories: chooseAll('category', categories, args.categories) }
    await withServices(async ({ db }) => {
      const tried = await tryGuidelines(db, requireShape(TryText, { text, ...asked }))
      print(args, tried, () => [
        ...table(
          tried.matches.map((match) => [
            `${lineOf(text, match.start)}`,
            match.applies ? match.severity : `(${match.severity}, other categories)`,
            JSON.stringify(match.text),
            `reads as “${match.keyword}”: ${match.description || 'no description'}`,
          ]),
        ),
        inWords[tried.decision],
      ])
      if (tried.decision === 'refused') process.exitCode = 1
    })
  },
})

const inWords = {
  refused: 'Would be refused.',
  held: 'Would be held for review.',
  warned: 'Would be let through, with a warning.',
  passed: 'Nothing found.',
}

/** Formats an offset as line and column, as editors count them: "3:14". */
function lineOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
