import { type FlagType, flagWords } from './rules'

/** What became of a reported item. */
export type Outcome = 'removed' | 'restored' | 'stands'

/** What a statement of reasons is made from: what, why, which rule, and how to object. */
export type Reasons = {
  /** The report's id: what a person names who objects. */
  number: string
  title: string
  flagType: FlagType
  outcome: Outcome
  /** The operator's own words; may be empty. */
  notes: string
  siteName: string
  /** Where to object. */
  contact: string
}
export type Statement = { subject: string; text: string }

/** To the maker of a member's item. What the reporter wrote is not repeated, nor who it was. */
export function makerStatement(reasons: Reasons): Statement {
  const { title, siteName, outcome } = reasons
  const what =
    outcome === 'restored'
      ? `“${title}” is back on ${siteName}. It was read again, and it stands as it did before.`
      : `“${title}” was taken out of ${siteName}. Nobody can open or hear it there for now. Your text is kept.`
  return { subject: 'About something you made', text: letter(reasons, what) }
}

/** To whoever reported. */
export function reporterStatement(reasons: Reasons): Statement {
  const { title, flagType, outcome } = reasons
  const became = {
    removed: 'It was taken out.',
    stands: 'It stays as it is.',
    restored: 'It had been taken out; it was read again, and it is back.',
  }[outcome]
  const what = `Thank you for telling us about “${title}” (${flagWords[flagType].name}). ${became}`
  return { subject: 'About what you reported', text: letter(reasons, what) }
}

/** What the maker reads in My Content. */
export function noteForMaker({ id, flagType }: { id: string; flagType: FlagType }, notes: string): string {
  return [`The rule: ${flagWords[flagType].rule}`, oneLine(notes), `Number ${id}.`].filter(Boolean).join(' ')
}

function letter({ number, flagType, notes, siteName, contact }: Reasons, what: string): string {
  return [
    'Hello,',
    what,
    `The rule it was measured by: ${flagWords[flagType].rule}`,
    notes && `The reason: ${notes}`,
    'A person read it and decided this; no machine did.',
    `If you see it differently, write to ${contact} and name the number ${number}. It is then read again.`,
    siteName,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
