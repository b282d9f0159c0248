import { defineCommand } from 'citty'
import { choose, chooseAll } from '#cli/choose'
import { confirm, yesFlag } from '#cli/confirm'
import { edit } from '#cli/guidelines/edit'
import { approve, held, refuse } from '#cli/guidelines/held'
import { dryRunFlag, printPreview, withConfirmation } from '#cli/guidelines/preview'
import { test } from '#cli/guidelines/try'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { followed, sinceFlag } from '#cli/since'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { listGuidelines } from '#src/guideline/queries'
import { ruleTypes, severities } from '#src/guideline/rules'
import { GuidelineDraft } from '#src/guideline/schema'
import { addGuideline, changeGuideline, removeGuideline } from '#src/review/change-guideline'
import { previewGuideline } from '#src/review/preview'
import { requireShape } from '#src/shape/validate'
import { categories } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists all rules, the built-in ones last. Example: nocturne guidelines list --json',
  },
  args: { ...sinceFlag, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      const rules = await followed(args, () => listGuidelines(db))
      print(args, rules, () =>
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
      'Adds a rule; asks if it would hold much of the library. Example: nocturne guidelines add "asked her twice, valium" --severity high --categories bdsm --description "Consent is stated"',
  },
  args: {
    keywords: { type: 'positional', description: 'Words and phrases, with commas between', required: true },
    type: { type: 'string', ...choiceOf(ruleTypes), default: 'negative_keywords' },
    severity: { type: 'string', ...choiceOf(severities), default: 'high' },
    categories: { type: 'string', description: 'Only in these categories, with commas between' },
    description: { type: 'string', description: 'What the rule is for' },
    allow: { type: 'string', description: 'Phrases in which the keywords do not count' },
    off: { type: 'boolean', description: 'Not active yet: see activate', default: false },
    ...dryRunFlag,
    ...yesFlag,
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
    return withServices(async ({ db }) => {
      if (args['dry-run']) return printPreview(args, await previewGuideline(db, { rule: draft }))
      const rule = await withConfirmation({ isConfirmed: args.yes }, (confirmation) =>
        addGuideline(db, draft, operatorName(), confirmation),
      )
      if (!rule) return
      print(args, rule, () => [rule.id])
      printNote('Content guideline added')
    })
  },
})

const ruleArg = { id: { type: 'positional', description: "The rule's id", required: true } } as const

const activate = defineCommand({
  meta: {
    name: 'activate',
    description:
      'Turns a rule on; the library is checked against it. Asks if it would hold much. Example: nocturne guidelines activate 019c…',
  },
  args: { ...ruleArg, ...dryRunFlag, ...yesFlag, ...jsonFlag },
  run: ({ args }) => turn(args, { isActive: true }),
})

const deactivate = defineCommand({
  meta: {
    name: 'deactivate',
    description:
      'Turns a rule off without deleting it; items that it alone holds go back. Example: nocturne guidelines deactivate 019c…',
  },
  args: { ...ruleArg, ...dryRunFlag, ...yesFlag, ...jsonFlag },
  run: ({ args }) => turn(args, { isActive: false }),
})

async function turn(
  { id, json, yes, 'dry-run': isDryRun }: { id: string; json: boolean; yes: boolean; 'dry-run': boolean },
  change: { isActive: boolean },
): Promise<void> {
  await withServices(async ({ db }) => {
    if (isDryRun) return printPreview({ json }, await previewGuideline(db, { ruleId: id, rule: change }))
    const rule = await withConfirmation({ isConfirmed: yes }, (confirmation) =>
      changeGuideline(db, id, change, { by: operatorName(), ...confirmation }),
    )
    if (rule) print({ json }, rule, () => [rule.isActive ? 'The rule is on.' : 'The rule is off.'])
  })
}

const remove = defineCommand({
  meta: {
    name: 'remove',
    description:
      'Removes a rule; items that it alone holds go back to where they were. Example: nocturne guidelines remove 019c… --yes',
  },
  args: { ...ruleArg, ...dryRunFlag, ...yesFlag, ...jsonFlag },
  run: async ({ args }) => {
    await withServices(async ({ db }) => {
      const change = { isActive: false }
      const preview = await previewGuideline(db, { ruleId: args.id, rule: change })
      if (args['dry-run']) return printPreview(args, preview)
      const back = preview.released > 0 ? ` ${pluralize(preview.released, 'held item')} would go back.` : ''
      if (!args.yes && !(await confirm(`Remove the rule ${args.id}?${back}`))) return
      await removeGuideline(db, args.id, operatorName())
      print(args, { id: args.id, removed: true }, () => ['Guideline deleted'])
    })
  },
})

export default defineCommand({
  meta: {
    name: 'guidelines',
    description:
      'Content guidelines: list, add, edit, activate, deactivate, remove, test, held, approve, refuse',
  },
  subCommands: { list, add, edit, activate, deactivate, remove, test, held, approve, refuse },
})
