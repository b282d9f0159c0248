import { readDemo } from '#db/seed'
import { findHits } from '#src/guideline/find-hits'
import { type Guideline, judge, makeGuidelines } from '#src/guideline/judge'
import { figure, heading } from './report'

const ruleCount = 500
const textCharacters = 200 * 1024
const rounds = 9

/** 500 rules beside the built-in ones over 200 KB: of the demo library, and of what is made to be slow. */
export function benchGuidelines(): void {
  heading(`Guidelines (${ruleCount} rules over ${textCharacters / 1024} KB)`)
  const library = [...readDemo('story'), ...readDemo('flow')].map(({ content }) => content)
  const guidelines = makeGuidelines(rulesOf(library.join(' ').split(/\s+/)))
  figure('demo library', medianMs(guidelines, repeated(library.join('\n'))), 'ms', { atMost: 200 })
  const slowest = Object.entries(hostile)
    .map(([name, unit]) => ({ name, ms: medianMs(guidelines, repeated(unit)) }))
    .toSorted((a, b) => b.ms - a.ms)
  for (const { name, ms } of slowest) figure(`hostile: ${name}`, ms, 'ms', { atMost: 200 })
  const hits = library.filter((content) => judge(makeGuidelines([]), { content, categories: [] }).length > 0)
  figure('demo items that a built-in rule meets', hits.length, `of ${library.length}`, { atMost: 0 })
}

/** Texts that make matchers slow: everything matches, nothing ends, every character is another way to read. */
const hostile: Record<string, string> = {
  'one letter, spaced': 'a ',
  'one letter': 'a',
  'letters and signs': '4@',
  'signs before letters': '!a',
  'letters with hyphens': 'a-',
  'words with hyphens': 'under-age-',
  'one word of many rules': 'word ',
  'halves of pairs': 'child sex ',
  'marks on marks': 'a\u0301\u0302\u0303',
  'zero-width between letters': 'a\u200b',
  'letters that unfold': 'ﷺ',
  ideographs: '漢字',
  'drawn out': 'aab',
  'letters beside pieces': Array.from({ length: 30_000 }, (_, at) => `w${at.toString(36)} o r`).join(' '),
  'a letter hidden': Array.from({ length: 30_000 }, (_, at) => `w${at.toString(36)}*rd`).join(' '),
  'capital I': 'woIrd vaIium ',
  'families of emoji': '👩‍👩‍👧',
  'every character': Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x100 + at)).join(''),
}

function repeated(unit: string): string {
  return unit.repeat(Math.ceil(textCharacters / unit.length)).slice(0, textCharacters)
}

/** Phrases of words that the library has, stems, and one word that every rule knows. */
function rulesOf(words: readonly string[]): Guideline[] {
  const word = (at: number) => words[at % words.length] ?? 'lamp'
  return Array.from({ length: ruleCount }, (_, at) => ({
    id: String(at),
    ruleType: 'negative_keywords',
    keywords: [`${word(at * 37)} ${word(at * 91 + 1)}`, `none${at}such`, `stem${at}*`, 'word'],
    allowed: [],
    categories: [],
    severity: 'low',
    description: '',
    version: 1,
    builtIn: false,
  }))
}

function medianMs({ matcher }: ReturnType<typeof makeGuidelines>, text: string): number {
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    findHits(matcher, text)
    return performance.now() - startedAt
  })
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}
