import { readDemo } from '#src/demo/seed'
import { findHits } from '#src/guideline/find-hits'
import { type Guideline, judge, makeGuidelines } from '#src/guideline/judge'
import { figure, heading } from './report'

const ruleCount = 500
const textCharacters = 200 * 1024
const rounds = 9

/**
 * Measures 500 rules in addition to the built-in ones over 200 KB of text: the demo library, and texts designed to be
 * slow.
 */
export async function benchGuidelines(): Promise<void> {
  heading(`Guidelines (${ruleCount} rules over ${textCharacters / 1024} KB)`)
  const library = [...readDemo('story'), ...readDemo('flow')].map(({ content }) => content)
  const guidelines = makeGuidelines(rulesOf(library.join(' ').split(/\s+/)))
  figure('demo library', await medianMs(guidelines, repeated(library.join('\n'))), 'ms', { atMost: 200 })
  const slowest: { name: string; ms: number }[] = []
  for (const [name, unit] of Object.entries(hostile))
    slowest.push({ name, ms: await medianMs(guidelines, repeated(unit)) })
  for (const { name, ms } of slowest.toSorted((a, b) => b.ms - a.ms))
    figure(`hostile: ${name}`, ms, 'ms', { atMost: 200 })
  let met = 0
  for (const content of library)
    if ((await judge(makeGuidelines([]), { content, categories: [] })).length > 0) met += 1
  figure('demo items that a built-in rule meets', met, `of ${library.length}`, { atMost: 0 })
}

/** Texts that slow matchers down: everything matches, nothing ends, every character has several readings. */
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

/** Creates rules from phrases of the library's words, stems, and one word that every rule contains. */
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

async function medianMs({ matcher }: ReturnType<typeof makeGuidelines>, text: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await findHits(matcher, text)
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}
