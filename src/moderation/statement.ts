import { type ReportType, reportTypeWords } from './rules'

/** The outcome for a reported item. */
export type DecisionOutcome = 'removed' | 'restored' | 'stands'

/** The contents of a statement of reasons: the decision, the reason, the rule, and how to appeal. */
export type Reasons = {
  /** The report's id, which is the reference for an appeal. */
  number: string
  title: string
  flagType: ReportType
  outcome: DecisionOutcome
  /** The operator's own words, perhaps empty. */
  notes: string
  siteName: string
  /** The address for appeals. */
  contact: string
}
export type Statement = { subject: string; text: string }

/** The statement for the author of a member's item. It names neither the reporter nor their words. */
export function authorStatement(reasons: Reasons): Statement {
  const { title, siteName, outcome } = reasons
  const what =
    outcome === 'restored'
      ? `“${title}” is back on ${siteName}. It was reviewed again, and is available as before.`
      : `“${title}” was removed from ${siteName}. Nobody can open or hear it there for now. Your text is kept.`
  return { subject: 'About something you made', text: statementText(reasons, what) }
}

/** The statement for the reporter. */
export function reporterStatement(reasons: Reasons): Statement {
  const { title, flagType, outcome } = reasons
  const became = {
    removed: 'It was removed.',
    stands: 'It stays as it is.',
    restored: 'It had been removed; it was reviewed again, and it is back.',
  }[outcome]
  const what = `Thank you for telling us about “${title}” (${reportTypeWords[flagType].name}). ${became}`
  return { subject: 'About what you reported', text: statementText(reasons, what) }
}

/** The note that the author sees in My Content. */
export function noteForAuthor({ id, flagType }: { id: string; flagType: ReportType }, notes: string): string {
  return [`The rule: ${reportTypeWords[flagType].rule}`, oneLine(notes), `Number ${id}.`]
    .filter(Boolean)
    .join(' ')
}

function statementText({ number, flagType, notes, siteName, contact }: Reasons, what: string): string {
  return [
    'Hello,',
    what,
    `The rule that was applied: ${reportTypeWords[flagType].rule}`,
    notes && `The reason: ${notes}`,
    'A person read it and decided this, not a machine.',
    `If you disagree, write to ${contact} and quote number ${number}. It will be reviewed again.`,
    siteName,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
