import { defineCommand } from 'citty'
import { choose, chooseAll } from '#cli/choose'
import { yesFlag } from '#cli/confirm'
import { UsageError } from '#cli/failure'
import { dryRunFlag, printPreview, withConfirmation } from '#cli/guidelines/preview'
import { jsonFlag, print } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { ruleTypes, severities } from '#src/guideline/rules'
import { GuidelineChange } from '#src/guideline/schema'
import { changeGuideline } from '#src/review/change-guideline'
import { previewGuideline } from '#src/review/preview'
import { requireShape } from '#src/shape/validate'
import { categories } from '#src/story/rules'

export const edit = defineCommand({
  meta: {
    name: 'edit',
    description:
      'Changes a rule; what you leave out stays; items that it alone held and no longer matches go back. Example: nocturne guidelines edit 019c… --keywords "asked her twice" --severity medium',
  },
  args: {
    id: { type: 'positional', description: "The rule's id", required: true },
    keywords: { type: 'string', description: 'Words and phrases, with commas between' },
    type: { type: 'string', ...choiceOf(ruleTypes) },
    severity: { type: 'string', ...choiceOf(severities) },
    categories: {
      type: 'string',
      description: 'Only in these categories, with commas between; "" for everywhere',
    },
    description: { type: 'string', description: 'What the rule is for' },
    allow: { type: 'string', description: 'Phrases in which the keywords do not count' },
    ...dryRunFlag,
    ...yesFlag,
    ...jsonFlag,
  },
  run: ({ args }) => {
    const { keywords, type, severity, description, allow } = args
    const given = {
      ...(keywords !== undefined && { keywords }),
      ...(type !== undefined && { ruleType: choose('type', ruleTypes, type) }),
      ...(severity !== undefined && { severity: choose('severity', severities, severity) }),
      ...(args.categories !== undefined && {
        categories: chooseAll('category', categories, args.categories),
      }),
      ...(description !== undefined && { description }),
      ...(allow !== undefined && { allowed: allow }),
    }
    if (Object.keys(given).length === 0)
      throw new UsageError('Nothing would change: name a field. See nocturne guidelines edit --help.')
    const change = requireShape(GuidelineChange, given)
    return withServices(async ({ db }) => {
      if (args['dry-run'])
        return printPreview(args, await previewGuideline(db, { ruleId: args.id, rule: change }))
      const rule = await withConfirmation({ isConfirmed: args.yes }, (confirmation) =>
        changeGuideline(db, args.id, change, { by: operatorName(), ...confirmation }),
      )
      if (rule) print(args, rule, () => [`The rule is changed: version ${rule.version}.`])
    })
  },
})
