import { isPlain, type Words } from './read-words'
import type { wordReader } from './word-reader'

/** A way to read the words `from` up to, but without, `to` as one word of the rules. */
export type Reading = { word: number; to: number; start: number; end: number }
type Reader = ReturnType<typeof wordReader>

/**
 * Every reading of a text's words that the rules know of, by the word it begins with: one by one, with the
 * signs between them as letters, with the hyphens and dots within a word taken out, with spaced letters put
 * together.
 */
export function findReadings(text: string, words: Words, reader: Reader): (Reading[] | undefined)[] {
  const { forms, starts, ends, signed } = words
  const readings: (Reading[] | undefined)[] = []
  const keep = (found: readonly number[], from: number, to: number, start: number, end: number) => {
    for (const word of found) {
      const known = readings[from]
      if (!known) readings[from] = [{ word, to, start, end }]
      else if (!known.some((each) => each.word === word && each.to === to))
        known.push({ word, to, start, end })
    }
  }
  const keepSpan = (found: readonly number[], { from, to }: Span) =>
    keep(found, from, to, starts[from] ?? 0, ends[to - 1] ?? 0)

  for (let at = 0; at < forms.length; at += 1) {
    const found = reader.of(forms[at] ?? '')
    if (found.length > 0) keep(found, at, at + 1, starts[at] ?? 0, ends[at] ?? 0)
  }
  for (const { form, from, to, start, end } of signed) {
    keep(reader.of(form), from, to, start, end)
    // At the edges an exclamation mark is more often one than a letter.
    const bare = form.replace(/^[!|+]+|[!|+]+$/g, '')
    if (bare !== form) keepSpan(reader.of(bare), { from, to })
  }
  for (const span of findCompounds(text, words)) {
    const found = reader.of(joinForms(forms, span))
    if (found.length > 0) keepSpan(found, span)
  }
  for (const span of findSpaced(words)) keepSpan(reader.ofSpaced(joinLetters(text, words, span)), span)
  return readings
}

type Span = { from: number; to: number }

function joinForms(forms: readonly string[], { from, to }: Span): string {
  let joined = ''
  for (let at = from; at < to; at += 1) joined += forms[at] ?? ''
  return joined
}

/** Longer than any word of a rule that somebody would write in pieces. */
const piecesMax = 40

/**
 * Words held together by hyphens, dots and the like, without a space (`under-age`, `v.a.l.i.u.m`): the whole
 * run, and each two neighbours. An apostrophe does not join: `dog's` is not `dogs`.
 */
function findCompounds(text: string, { starts, ends }: Words): Span[] {
  const spans: Span[] = []
  let from = 0
  for (let at = 0; at < starts.length; at += 1) {
    const end = ends[at] ?? 0
    if ((starts[at + 1] ?? 0) - end === 1 && joiners.has(text.charCodeAt(end))) {
      spans.push({ from: at, to: at + 2 })
      continue
    }
    const pieces = at + 1 - from
    if (pieces > 2 && pieces <= piecesMax) spans.push({ from, to: at + 1 })
    from = at + 1
  }
  return spans
}

const joiners = new Set([...'-_.*/~·•‐‑'].map((each) => each.charCodeAt(0)))

/** Between two letters of a word that is spaced out there is no more than this. */
const gapCharactersMax = 4
/** Two letters are initials. */
const spacedLettersMin = 3

/**
 * Letters that stand one by one (`v a l i u m`): the whole run, and where its gaps differ, what stands between
 * the wider ones.
 */
function findSpaced(words: Words): Span[] {
  const { forms, starts, ends } = words
  const spans: Span[] = []
  const isSingle = (at: number) => {
    const form = forms[at]
    return form?.length === 1 && isPlain(form.charCodeAt(0))
  }
  const gapAfter = (at: number) => (starts[at + 1] ?? 0) - (ends[at] ?? 0)
  let from = 0
  while (from < forms.length) {
    let to = from
    while (isSingle(to) && (to === from || gapAfter(to - 1) <= gapCharactersMax)) to += 1
    if (to - from >= spacedLettersMin) spans.push(...splitRun(words, { from, to }, gapAfter))
    from = Math.max(to, from + 1)
  }
  return spans
}

function splitRun(words: Words, run: Span, gapAfter: (at: number) => number): Span[] {
  let gapMin = gapCharactersMax
  for (let at = run.from; at < run.to - 1; at += 1) gapMin = Math.min(gapMin, gapAfter(at))
  const spans = [run]
  let from = run.from
  for (let at = run.from; at < run.to; at += 1) {
    if (at < run.to - 1 && gapAfter(at) <= gapMin) continue
    spans.push({ from, to: at + 1 })
    from = at + 1
  }
  return spans.flatMap((span) => withoutArticles(words, span)).filter(isSpacedWord)
}

/** An `a` or `I` at the edge may be a word of its own. */
function withoutArticles({ forms }: Words, span: Span): Span[] {
  const isArticle = (at: number) => forms[at] === 'a' || forms[at] === 'i'
  const { from, to } = span
  return [
    span,
    ...(isArticle(from) ? [{ from: from + 1, to }] : []),
    ...(isArticle(to - 1) ? [{ from, to: to - 1 }] : []),
  ]
}

function isSpacedWord({ from, to }: Span): boolean {
  return to - from >= spacedLettersMin && to - from <= piecesMax
}

/** The letters of a run, and a sign that stands in for one of them in a gap (`v @ l i u m`). */
function joinLetters(text: string, { forms, starts, ends }: Words, { from, to }: Span): string {
  let form = ''
  for (let at = from; at < to; at += 1) {
    form += forms[at] ?? ''
    if (at < to - 1) form += /[@$!|+€£]/.exec(text.slice(ends[at] ?? 0, starts[at + 1] ?? 0))?.[0] ?? ''
  }
  return form
}
