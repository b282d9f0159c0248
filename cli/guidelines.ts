import { defineCommand } from 'citty'
import { confirm } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, say, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { addGuideline, removeGuideline } from '#src/guideline/add'
import { listGuidelines } from '#src/guideline/queries'
import { approveHeld, listHeld, refuseHeld } from '#src/guideline/review'
import { ruleTypes, severities } from '#src/guideline/rules'
import { tryGuidelines } from '#src/guideline/try'
import { categories } from '#src/story/rules'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the rules, the built-in ones last. Example: nocturne guidelines list --json',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const rules = await listGuidelines(db)
      print(args.json, rules, () =>
        table(
          rules.map((rule) => [
            rule.id,
            rule.severity,
            rule.ruleType,
            rule.builtIn ? `built in, version ${rule.version}` : rule.isActive ? 'active' : 'off',
            rule.categories.join(', ') || 'everywhere',
            [rule.description, rule.keywords.join(', ')].filter(Boolean).join(': '),
          ]),
        ),
      )
    }),
})

const add = defineCommand({
  meta: {
    name: 'add',
    description:
      'Adds a rule. Example: nocturne guidelines add "asked her twice, valium" --severity high --categories bdsm --description "Consent is stated"',
  },
  args: {
    keywords: { type: 'positional', description: 'Words and phrases, with commas between', required: true },
    type: { type: 'string', description: ruleTypes.join(', '), default: 'negative_keywords' },
    severity: { type: 'string', description: severities.join(', '), default: 'high' },
    categories: { type: 'string', description: 'Only in these, with commas between' },
    description: { type: 'string', description: 'What the rule is for' },
    allow: { type: 'string', description: 'Phrases in which the keywords do not count' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const draft = {
      keywords: args.keywords,
      ruleType: choose('type', ruleTypes, args.type),
      severity: choose('severity', severities, args.severity),
      categories: (args.categories ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
        .map((each) => choose('category', categories, each)),
      ...(args.description !== undefined && { description: args.description }),
      ...(args.allow !== undefined && { allowed: args.allow }),
    }
    return withParts(async ({ db }) => {
      const rule = await addGuideline(db, draft, operatorName())
      print(args.json, rule, () => [rule.id])
      say('Content guideline added')
    })
  },
})

function choose<const T extends readonly string[]>(name: string, values: T, given: string): T[number] {
  const found = values.find((each) => each === given)
  if (!found) throw new UsageError(`${JSON.stringify(given)} is no ${name}. Use ${values.join(', ')}.`)
  return found
}

const remove = defineCommand({
  meta: { name: 'remove', description: 'Removes a rule. Example: nocturne guidelines remove 019c… --yes' },
  args: {
    id: { type: 'positional', description: "The rule's id", required: true },
    yes: { type: 'boolean', description: 'Do not ask', default: false },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Remove the rule ${args.id}?`))) return
    await withParts(async ({ db }) => {
      await removeGuideline(db, args.id, operatorName())
      print(args.json, { id: args.id, removed: true }, () => ['Guideline deleted'])
    })
  },
})

const test = defineCommand({
  meta: {
    name: 'test',
    description:
      'Shows what the rules would find in a text, and where. Exit code 1 where it would be refused. Example: nocturne guidelines test story.txt --categories bdsm',
  },
  args: {
    file: { type: 'positional', description: 'A text file, or - for standard input', required: true },
    categories: { type: 'string', description: 'As an item of these; without, every rule is tried' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const file = args.file === '-' ? Bun.stdin : Bun.file(args.file)
    if (args.file !== '-' && !(await Bun.file(args.file).exists()))
      throw new UsageError(`There is no file ${args.file}.`)
    const text = await file.text()
    const asked = args.categories?.split(',').map((each) => choose('category', categories, each.trim()))
    await withParts(async ({ db }) => {
      const tried = await tryGuidelines(db, { text, ...(asked && { categories: asked }) })
      print(args.json, tried, () => [
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
  warned: 'Would be taken, with a warning.',
  passed: 'Nothing found.',
}

/** "3:14": line and column, as editors count them. */
function lineOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

const held = defineCommand({
  meta: {
    name: 'held',
    description:
      'Lists what is held for review, the longest waiting first. Example: nocturne guidelines held',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withParts(async ({ db }) => {
      const { held: items, nextCursor } = await listHeld(db)
      print(args.json, items, () => [
        ...items.flatMap((item) => [
          `${item.id}  ${item.title}`,
          ...item.findings.map((each) => `  ${each.severity}: ${each.description}`),
        ]),
        nextCursor ? `The first ${items.length}; more wait behind them.` : `${items.length} held`,
      ])
    }),
})

const id = { type: 'positional', description: "The item's id", required: true } as const

const approve = defineCommand({
  meta: {
    name: 'approve',
    description: 'Lets a held item go on to what it was to be. Example: nocturne guidelines approve 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withParts(async (parts) => {
      const { status } = await approveHeld(parts, args.id, operatorName())
      print(args.json, { id: args.id, status }, () => [`Approved: ${status}.`])
    }),
})

const refuse = defineCommand({
  meta: {
    name: 'refuse',
    description:
      'Takes a held item out of the library; a member is told why. Example: nocturne guidelines refuse 019c… --reason "Not about adults by its words"',
  },
  args: { id, reason: { type: 'string', description: 'What its maker is told' }, ...jsonFlag },
  run: ({ args }) =>
    withParts(async (parts) => {
      const { status } = await refuseHeld(parts, args.id, operatorName(), args.reason)
      print(args.json, { id: args.id, status }, () => ['Refused. Its row is kept.'])
    }),
})

export default defineCommand({
  meta: {
    name: 'guidelines',
    description: 'What may be told: list, add, remove, test, held, approve, refuse',
  },
  subCommands: { list, add, remove, test, held, approve, refuse },
})
