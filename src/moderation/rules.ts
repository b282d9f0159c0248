/** Lists of values and limits of reports. Browser-safe: no imports. */

export const reportTypes = [
  'not_as_described',
  'wrong_category',
  'audio_fault',
  'inappropriate',
  'no_consent',
  'real_person',
  'minor',
  'illegal',
  'copyright',
  'spam',
  'other',
] as const
export type ReportType = (typeof reportTypes)[number]

/** The name of each type of report, and the rule that a decision on it cites. */
export const reportTypeWords: Record<ReportType, { name: string; rule: string }> = {
  not_as_described: {
    name: 'Not as described',
    rule: 'Descriptions and content notes say what an item holds.',
  },
  wrong_category: { name: 'Wrong category', rule: 'An item stands in the categories that fit it.' },
  audio_fault: { name: 'Audio fault', rule: 'Audio can be heard well from beginning to end.' },
  inappropriate: { name: 'Against the guidelines', rule: 'Items follow the content guidelines.' },
  no_consent: { name: 'Consent is missing', rule: 'Everything in a story is wanted by everyone in it.' },
  real_person: {
    name: 'About a real person',
    rule: 'Nobody real is written about or imitated without their consent.',
  },
  minor: { name: 'Someone may be under 18', rule: 'Everyone in every story is an adult.' },
  illegal: { name: 'Against the law', rule: 'Items keep the law.' },
  copyright: { name: 'Someone else’s work', rule: 'Items are their maker’s own, or shared with permission.' },
  spam: { name: 'Advertising', rule: 'Items are not advertising.' },
  other: { name: 'Something else', rule: 'Items follow the terms of use.' },
}

export const moderatorActions = ['review', 'approve', 'remove'] as const
export type ModeratorAction = (typeof moderatorActions)[number]

/** `pending` reports are not decided, whether they are being reviewed or not. */
export const reportStates = ['pending', 'decided', 'all'] as const
export type ReportState = (typeof reportStates)[number]

export const reasonCharactersMax = 1_000
export const notesCharactersMax = 1_000

/** The dashboard shows the newest five; the moderation page has all of them. */
export const dashboardReports = 5
export const reportsLimitDefault = 50
export const reportsLimitMax = 100

/**
 * Limits of reports from one address, which several people may share, and on one item, where more would say nothing
 * new.
 */
export const reportsAnHour = 10
export const reportsOnItemADay = 3

/** The period of appeal after a decision; then a visitor's email is deleted. */
export const emailRetentionDays = 180

export const reportThanks = 'Thank you. A person reads this.'
