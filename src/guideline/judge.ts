import { builtInRules, builtInVersion } from './built-in'
import { compile, type Matcher } from './compile'
import { findHits } from './find-hits'
import type { RuleType, Severity } from './rules'

/** A rule in force: one of the operator's, or one of the program's own. */
export type Guideline = {
  id: string
  ruleType: RuleType
  keywords: readonly string[]
  allowed: readonly string[]
  /** Limits the rule to items of one of these; empty: it holds everywhere. */
  categories: readonly string[]
  severity: Severity
  description: string
  version: number
  builtIn: boolean
}

/** The rules in force, made ready for matching. */
export type Guidelines = { all: readonly Guideline[]; matcher: Matcher; ruleOfPattern: readonly Guideline[] }

export type JudgedText = {
  title?: string
  description?: string
  excerpt?: string
  content?: string
  tags?: readonly string[]
  categories: readonly string[]
}
export type JudgedField = 'title' | 'description' | 'excerpt' | 'content' | 'tags'

/** Where a rule was met: offsets into the field (UTF-16), and words counted from 1. */
export type Place = {
  field: JudgedField
  phrase: string
  start: number
  end: number
  firstWord: number
  lastWord: number
}
export type Finding = { rule: Guideline; places: Place[] }

/** Puts the operator's active rules beside the built-in ones. */
export function makeGuidelines(own: readonly Guideline[]): Guidelines {
  const ruleOfPattern: Guideline[] = []
  const patterns = [
    ...builtInRules.flatMap(({ id, patterns: of }) =>
      of.map((pattern) => {
        ruleOfPattern.push(builtInGuidelines.find((rule) => rule.id === id) ?? unknownRule(id))
        return pattern
      }),
    ),
    ...own
      .filter((rule) => rule.ruleType === 'negative_keywords')
      .map((rule) => {
        ruleOfPattern.push(rule)
        return { groups: [rule.keywords], allowed: rule.allowed }
      }),
  ]
  return { all: [...builtInGuidelines, ...own], matcher: compile(patterns), ruleOfPattern }
}

/** The built-in rules as they are listed: what they look for is not. */
export const builtInGuidelines: readonly Guideline[] = builtInRules.map(({ id, description }) => ({
  id,
  ruleType: 'content_rules',
  keywords: [],
  allowed: [],
  categories: [],
  severity: 'blocking',
  description,
  version: builtInVersion,
  builtIn: true,
}))

function unknownRule(id: string): never {
  throw new Error(`There is no built-in rule ${id}.`)
}

/** What the rules find in a text, each rule once with all its places; the most severe first. Pure. */
export function judge(guidelines: Guidelines, text: JudgedText): Finding[] {
  const findings = new Map<Guideline, Finding>()
  for (const [field, value] of fieldsOf(text)) {
    for (const { pattern, ...place } of findHits(guidelines.matcher, value)) {
      const rule = guidelines.ruleOfPattern[pattern]
      if (!rule || !appliesTo(rule, text.categories)) continue
      const finding = findings.get(rule) ?? { rule, places: [] }
      findings.set(rule, finding)
      finding.places.push({ field, ...place })
    }
  }
  return [...findings.values()].sort((a, b) => rank[a.rule.severity] - rank[b.rule.severity])
}

const rank: Record<Severity, number> = { blocking: 0, high: 1, medium: 2, low: 3 }

/** Whether a rule holds for items of some categories. */
export function appliesTo(rule: Pick<Guideline, 'categories'>, categories: readonly string[]): boolean {
  return rule.categories.length === 0 || rule.categories.some((each) => categories.includes(each))
}

function fieldsOf(text: JudgedText): [JudgedField, string][] {
  const { title = '', description = '', excerpt = '', content = '', tags = [] } = text
  const fields: [JudgedField, string][] = [
    ['title', title],
    ['description', description],
    ['excerpt', excerpt],
    ['content', content],
    ['tags', tags.join(', ')],
  ]
  return fields.filter(([, value]) => value !== '')
}
