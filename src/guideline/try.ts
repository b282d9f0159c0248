import type { Executor } from '#db/db'
import { appliesTo, type Finding, judge, makeGuidelines } from './judge'
import { findGuidelines } from './queries'
import { readRule } from './read-rule'
import { decisionOf } from './rules'
import type { Tried, TryText } from './schema'

/**
 * Finds all matches of the rules in a text, with their causes. Matches of rules for other categories are included and
 * marked as such. With a `rule`, only that rule is tried. Nothing is recorded.
 */
export async function tryGuidelines(
  db: Executor,
  { text, title, categories, rule }: TryText,
): Promise<Tried> {
  const draft = rule && { ...readRule(rule), id: '', version: 0, builtIn: false }
  const guidelines = await findGuidelines(db)
  const inForce = draft ? makeGuidelines([draft]) : guidelines
  const fields = { title: title ?? '', content: text }
  // An empty list means that every rule applies.
  const wanted = categories ?? []
  const all = {
    ...inForce,
    ruleOfPattern: inForce.ruleOfPattern.map((each) => ({ ...each, categories: [] })),
  }
  const scopes = new Map(inForce.all.map((each) => [each.id, each.categories]))
  const matches = mergeFindings(await judge(all, { ...fields, categories: [] }))
    .filter((match) => !draft || match.rule.id === draft.id)
    .map(({ rule: found, place }) => {
      const scope = scopes.get(found.id) ?? []
      return {
        ruleId: found.id || null,
        severity: found.severity,
        description: found.description,
        builtIn: found.builtIn,
        version: found.version,
        categories: [...scope],
        applies: wanted.length === 0 || appliesTo({ categories: scope }, wanted),
        field: place.field,
        keyword: place.phrase,
        text: fields[place.field === 'title' ? 'title' : 'content'].slice(place.start, place.end),
        start: place.start,
        end: place.end,
        firstWord: place.firstWord,
        lastWord: place.lastWord,
      }
    })
  const decisions = matches.filter(({ applies }) => applies).map(({ severity }) => decisionOf(severity))
  const decision = (['refused', 'held', 'warned'] as const).find((each) => decisions.includes(each))
  return { decision: decision ?? 'passed', matches }
}

/** Lists one entry for each match. A rule with several patterns has several findings here. */
function mergeFindings(findings: readonly Finding[]) {
  return findings.flatMap(({ rule, places }) => places.map((place) => ({ rule, place })))
}
