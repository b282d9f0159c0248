import { createTimeSlicer } from '#src/process/time-slice'
import { builtInRules, builtInVersion } from './built-in'
import { compile, type Matcher } from './compile'
import { findHits } from './find-hits'
import type { RuleType, Severity } from './rules'

/** A rule in force: an operator's, or a built-in one. */
export type Guideline = {
  id: string
  ruleType: RuleType
  keywords: readonly string[]
  allowed: readonly string[]
  /** Limits the rule to items with one of these categories. Empty: all items. */
  categories: readonly string[]
  severity: Severity
  description: string
  version: number
  builtIn: boolean
}

/** The rules in force, compiled for matching. */
export type Guidelines = { all: readonly Guideline[]; matcher: Matcher; ruleOfPattern: readonly Guideline[] }

export type JudgedText = {
  title?: string
  description?: string
  excerpt?: string
  content?: string
  tags?: readonly string[]
  categories: readonly string[]
}
type JudgedField = 'title' | 'description' | 'excerpt' | 'content' | 'tags'

/** A match of a rule. Offsets are into the field (UTF-16); words count from 1. */
export type MatchPlace = {
  field: JudgedField
  phrase: string
  start: number
  end: number
  firstWord: number
  lastWord: number
}
export type Finding = { rule: Guideline; places: MatchPlace[] }

/** Compiles the operator's active rules and the built-in ones. */
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

/** Compiles a single rule, whatever its type. This makes the scan of a library a few times faster. */
export function makeGuidelinesOf(rule: Guideline): Guidelines {
  return {
    all: [rule],
    matcher: compile([{ groups: [rule.keywords], allowed: rule.allowed }]),
    ruleOfPattern: [rule],
  }
}

/** The built-in rules for lists, without their patterns. */
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

/** Finds which rules match a text. Each rule is listed once with all its matches, the most severe first. */
export async function judge(guidelines: Guidelines, text: JudgedText): Promise<Finding[]> {
  const pause = createTimeSlicer()
  const findings = new Map<Guideline, Finding>()
  for (const [field, value] of fieldsOf(text)) {
    for (const { pattern, ...place } of await findHits(guidelines.matcher, value, pause)) {
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

/** Whether a rule applies to items with these categories. */
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
