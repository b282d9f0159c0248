import { findMasked } from './masked'
import { findChunked, findSpaced, joinLetters } from './spaced'
import { piecesMax, type Span } from './span'
import type { Words } from './tokenize'
import type { wordReader } from './word-reader'

/** A way to read the words `from` up to, but without, `to` as one word of the rules. */
export type Reading = { word: number; to: number; start: number; end: number }
type WordReader = ReturnType<typeof wordReader>

/**
 * Every reading of a text's words that the rules know of, by the word it begins with: one by one, with the
 * signs between them as letters, with the hyphens and dots within a word taken out, with spaced letters put
 * together, alone or with the rest of their word, with the letter that a star or a low line hides.
 *
 * Left out, since ordinary words would be found in ordinary sentences: a word cut into pieces of two letters and
 * more (`lan tern`, as `the rapist` is), an l for an i (`vallum`), an I for an l in a word all of capitals
 * (`BAIL` is not `ball`), what hides two letters or one at an edge (`*ape*` is only stressed), and a hyphen or a
 * dot in the place of a letter (`co-op`, `e.g.`).
 */
export function findReadings(text: string, words: Words, reader: WordReader): (Reading[] | undefined)[] {
  const { forms, starts, ends, signed } = words
  const readings: (Reading[] | undefined)[] = []
  const add = (found: readonly number[], { from, ...reading }: Omit<Reading, 'word'> & { from: number }) => {
    for (const word of found) {
      const known = readings[from]
      if (!known) readings[from] = [{ word, ...reading }]
      else if (!known.some((each) => each.word === word && each.to === reading.to))
        known.push({ word, ...reading })
    }
  }
  const addSpan = (found: readonly number[], { from, to }: Span) =>
    add(found, { from, to, start: starts[from] ?? 0, end: ends[to - 1] ?? 0 })

  for (let at = 0; at < forms.length; at += 1) {
    const found = reader.of(forms[at] ?? '')
    if (found.length > 0) addSpan(found, { from: at, to: at + 1 })
  }
  for (const { form, from, to, start, end } of signed) {
    add(reader.of(form), { from, to, start, end })
    // At the edges an exclamation mark is more often one than a letter.
    const bare = form.replace(/^[!|+]+|[!|+]+$/g, '')
    if (bare !== form) addSpan(reader.of(bare), { from, to })
  }
  for (const span of findCompounds(text, words)) {
    const found = reader.of(joinForms(forms, span))
    if (found.length > 0) addSpan(found, span)
  }
  for (const span of findSpaced(words)) addSpan(reader.ofSpaced(joinLetters(text, words, span)), span)
  for (const span of findChunked(text, words)) {
    const found = reader.ofChunked(joinForms(forms, span))
    if (found.length === 0) continue
    // A part that is a word by itself is found where it stands.
    const parts = [span.letters, { from: span.from, to: span.letters.from }]
    const known = new Set(parts.flatMap((part) => reader.ofSpaced(joinForms(forms, part))))
    addSpan(
      found.filter((word) => !known.has(word)),
      span,
    )
  }
  for (const at of findMasked(text, words))
    addSpan(reader.ofMasked(forms[at] ?? '', forms[at + 1] ?? ''), { from: at, to: at + 2 })
  return readings
}

function joinForms(forms: readonly string[], { from, to }: Span): string {
  let joined = ''
  for (let at = from; at < to; at += 1) joined += forms[at] ?? ''
  return joined
}

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
