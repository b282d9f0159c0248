import { defineCommand } from 'citty'
import { chooseAll } from '#cli/choose'
import { approve, edit, remove, withdraw } from '#cli/examples/review'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printFile, printNote, table } from '#cli/output'
import { readText } from '#cli/read-text'
import { followed, sinceFlag } from '#cli/since'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { addExample, listExamples } from '#src/example/examples'
import { ExampleDraft } from '#src/example/schema'
import { requireShape } from '#src/shape/validate'
import { writeWhole } from '#src/storage/whole-file'
import { categories } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists all training examples, the newest first. Example: nocturne examples list --json',
  },
  args: { ...sinceFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const examples = await followed(args, () => listExamples(db))
      print(args, examples, () => [
        ...table(
          examples.map((each) => [
            each.id,
            each.isApproved ? 'approved' : 'not approved',
            each.categories.join(', ') || 'everywhere',
            each.inputPrompt.slice(0, 80),
          ]),
        ),
        pluralize(examples.length, 'example'),
      ])
    }),
})

const add = defineCommand({
  meta: {
    name: 'add',
    description:
      'Adds a training example; the expected output is read from a file, or - for standard input. Example: nocturne examples add "Two strangers on a night train" train.txt --categories romantic',
  },
  args: {
    prompt: { type: 'positional', description: 'What is asked for', required: true },
    file: { type: 'positional', ...fileNamed('A file with the expected output, or -'), required: true },
    categories: { type: 'string', description: 'With commas between' },
    notes: { type: 'string', description: 'Improvement notes' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const expectedOutput = await readText(args.file)
    if (!expectedOutput.trim() || !args.prompt.trim())
      throw new UsageError('An example needs an input prompt and an expected output.')
    const draft = requireShape(ExampleDraft, {
      inputPrompt: args.prompt,
      expectedOutput,
      categories: chooseAll('category', categories, args.categories),
      ...(args.notes !== undefined && { improvementNotes: args.notes }),
    })
    await withServices(async ({ db }) => {
      const example = await addExample(db, draft, operatorName())
      print(args, example, () => [example.id])
      printNote('Training example added')
    })
  },
})

const exportExamples = defineCommand({
  meta: {
    name: 'export',
    description:
      'Writes the approved examples as JSON lines of messages, as training takes them. Example: nocturne examples export --out examples.jsonl',
  },
  args: {
    out: { type: 'string', ...fileNamed('A file, instead of standard output') },
    all: { type: 'boolean', description: 'Also examples that nobody has approved', default: false },
  },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const examples = (await listExamples(db)).filter((each) => args.all || each.isApproved)
      const lines = examples.map(({ inputPrompt, expectedOutput }) =>
        JSON.stringify({
          messages: [
            { role: 'user', content: inputPrompt },
            { role: 'assistant', content: expectedOutput },
          ],
        }),
      )
      const text = lines.map((line) => `${line}\n`).join('')
      if (args.out) await writeWhole(args.out, [Buffer.from(text)], { access: 'shared' })
      else await printFile(text)
      printNote(`Exported ${pluralize(lines.length, 'example')}`)
    }),
})

export default defineCommand({
  meta: {
    name: 'examples',
    description: 'Training examples: list, add, approve, withdraw, edit, remove, export',
  },
  subCommands: { list, add, approve, withdraw, edit, remove, export: exportExamples },
})
