import { defineCommand } from 'citty'
import { choose, chooseAll } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { approve, held, refuse } from '#cli/guidelines/held'
import { test } from '#cli/guidelines/try'
import { jsonFlag, print, say, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { activateGuideline, addGuideline, removeGuideline } from '#src/guideline/add'
import { listGuidelines } from '#src/guideline/queries'
import { ruleTypes, severities } from '#src/guideline/rules'
import { GuidelineDraft } from '#src/guideline/schema'
import { requireShape } from '#src/require-shape'
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
    off: { type: 'boolean', description: 'Not in force yet: see activate', default: false },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const draft = requireShape(GuidelineDraft, {
      keywords: args.keywords,
      ruleType: choose('type', ruleTypes, args.type),
      severity: choose('severity', severities, args.severity),
      categories: chooseAll('category', categories, args.categories),
      ...(args.description !== undefined && { description: args.description }),
      ...(args.allow !== undefined && { allowed: args.allow }),
      isActive: !args.off,
    })
    return withParts(async ({ db }) => {
      const rule = await addGuideline(db, draft, operatorName())
      print(args.json, rule, () => [rule.id])
      say('Content guideline added')
    })
  },
})

const ruleArg = { id: { type: 'positional', description: "The rule's id", required: true } } as const

const activate = defineCommand({
  meta: {
    name: 'activate',
    description:
      'Turns a rule on; the library is read again by it. Example: nocturne guidelines activate 019c…',
  },
  args: { ...ruleArg, ...jsonFlag },
  run: ({ args }) => turn(args, { isActive: true }),
})

const deactivate = defineCommand({
  meta: {
    name: 'deactivate',
    description: 'Turns a rule off, and keeps it. Example: nocturne guidelines deactivate 019c…',
  },
  args: { ...ruleArg, ...jsonFlag },
  run: ({ args }) => turn(args, { isActive: false }),
})

async function turn(
  { id, json }: { id: string; json: boolean },
  change: { isActive: boolean },
): Promise<void> {
  await withParts(async ({ db }) => {
    const rule = await activateGuideline(db, id, change, operatorName())
    print(json, rule, () => [rule.isActive ? 'The rule is on.' : 'The rule is off.'])
  })
}

const remove = defineCommand({
  meta: { name: 'remove', description: 'Removes a rule. Example: nocturne guidelines remove 019c… --yes' },
  args: { ...ruleArg, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    if (!args.yes && !(await confirm(`Remove the rule ${args.id}?`))) return
    await withParts(async ({ db }) => {
      await removeGuideline(db, args.id, operatorName())
      print(args.json, { id: args.id, removed: true }, () => ['Guideline deleted'])
    })
  },
})

export default defineCommand({
  meta: {
    name: 'guidelines',
    description: 'What may be told: list, add, activate, deactivate, remove, test, held, approve, refuse',
  },
  subCommands: { list, add, activate, deactivate, remove, test, held, approve, refuse },
})
