import { type Guideline, type Guidelines, makeGuidelines } from './judge'

/** A rule of an operator, for tests. */
export function testRule(keywords: string[], more: Partial<Guideline> = {}): Guideline {
  return {
    id: 'test',
    ruleType: 'negative_keywords',
    keywords,
    allowed: [],
    categories: [],
    severity: 'blocking',
    description: '',
    version: 1,
    builtIn: false,
    ...more,
  }
}

export function testGuidelines(...rules: Guideline[]): Guidelines {
  return makeGuidelines(rules)
}
