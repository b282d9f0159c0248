import { AppError } from '#src/app-error'
import { sha256 } from '#src/security/keyed-hash'
import { isExcerptMade } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import type { Finding, JudgedText, MatchPlace } from './judge'
import { type Decision, decisionOf, type Severity, type TextSource } from './rules'

/** The sender of a text, and how the text arrived. Members do not learn which built-in rule matched. */
export type TextSender = { actor: string; role: 'operator' | 'member'; source: TextSource }

/** The audit's record of a decision. It never contains the text. */
export type DecisionRecord = {
  actor: string
  source: TextSource
  ruleId: string
  ruleVersion: number
  severity: Severity
  decision: Decision
  places: { field: string; start: number; end: number }[]
  textHash: string
}

/** The error of a text that the guidelines refuse. `records` are for the audit. */
export class GuidelineError extends AppError {
  readonly records: DecisionRecord[]
  constructor(findings: readonly Finding[], records: DecisionRecord[], sender: TextSender) {
    const blocking = findings.filter(({ rule }) => rule.severity === 'blocking')
    const words = blocking.map((finding) => refusalWords(finding, sender))
    super('guideline_blocked', words[0] ?? '', {
      fields: blocking.flatMap(({ places }, at) =>
        places.slice(0, 1).map(({ field }) => ({ path: field, message: words[at] ?? '' })),
      ),
    })
    this.records = records
  }
}

/** Decides on a text by its findings. Throws a GuidelineError if a rule blocks it. */
export function decide(
  text: JudgedText,
  findings: readonly Finding[],
  sender: TextSender,
): { warnings: string[]; isHeld: boolean; decisions: DecisionRecord[] } {
  if (findings.length === 0) return { warnings: [], isHeld: false, decisions: [] }
  const textHash = hashOf(text)
  const decisions = findings.map(({ rule, places }) => ({
    actor: sender.actor,
    source: sender.source,
    ruleId: rule.id,
    ruleVersion: rule.version,
    severity: rule.severity,
    decision: decisionOf(rule.severity),
    places: places.map(({ field, start, end }) => ({ field, start, end })),
    textHash,
  }))
  if (findings.some(({ rule }) => rule.severity === 'blocking'))
    throw new GuidelineError(findings, decisions, sender)
  return {
    warnings: findings.map(
      ({ rule, places }) =>
        `${rule.severity === 'high' ? 'Held for review' : 'Guideline'}: ${nameOf(rule)} (${placesInWords(places)})`,
    ),
    isHeld: findings.some(({ rule }) => rule.severity === 'high'),
    decisions,
  }
}

/** Hash of the text that an approval applies to. A change of any field makes it a different text. */
export function hashOf({ title, description, excerpt, content, categories, tags }: JudgedText): string {
  // A derived excerpt is part of the text already.
  const own = isExcerptMade({ content, excerpt }) ? '' : excerpt
  return sha256(JSON.stringify([title, description, own ?? '', content, [...categories].sort(), tags ?? []]))
}

function refusalWords({ rule, places }: Finding, { role }: TextSender): string {
  const where = placesInWords(places)
  if (rule.builtIn && role === 'member')
    return `This goes against the content guidelines (${where}). Change that place and try again.`
  return `Refused by a guideline: ${nameOf(rule)} (${where}). Change that place and try again.`
}

function nameOf({ description, keywords }: Finding['rule']): string {
  return description.replace(/[.\s]+$/, '') || `“${keywords[0] ?? ''}”`
}

/** "content, words 12 to 14, and 2 more places". */
function placesInWords(places: readonly MatchPlace[]): string {
  const [first] = places
  if (!first) return ''
  const { field, firstWord, lastWord } = first
  const words = firstWord === lastWord ? `word ${firstWord}` : `words ${firstWord} to ${lastWord}`
  const more = places.length - 1
  return `${field}, ${words}${more > 0 ? `, and ${pluralize(more, 'more place')}` : ''}`
}
