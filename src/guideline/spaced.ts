import { piecesMax, type Span } from './span'
import { isPlain, type Words } from './tokenize'

/** Between two letters of a word that is spaced out there is no more than this. */
const gapCharactersMax = 4
/** Two letters are initials. */
const spacedLettersMin = 3
/** Beside the rest of their word two letters are enough. */
const chunkedLettersMin = 2

/**
 * Letters that stand one by one (`v a l i u m`): the whole run, and where its gaps differ, what stands between
 * the wider ones.
 */
export function findSpaced(words: Words): Span[] {
  return findRuns(words, spacedLettersMin).flatMap((run) => splitRun(words, run))
}

/** Pieces of one word; `letters` are those of one letter, beside others. */
export type ChunkedSpan = Span & { letters: Span }

/**
 * Letters that stand one by one beside the rest of their word (`lan t e r n`, `l a nt e r n`), parted from it by
 * no more than spaces.
 */
export function findChunked(text: string, words: Words): ChunkedSpan[] {
  const found: ChunkedSpan[] = []
  const runs = findRuns(words, chunkedLettersMin)
  for (const [at, run] of runs.entries()) {
    if (run.to - run.from > piecesMax) continue
    const before = isChunk(words, run.from - 1) && isSpaceAfter(text, words, run.from - 1) ? 1 : 0
    const after = isChunk(words, run.to) && isSpaceAfter(text, words, run.to - 1) ? 1 : 0
    const next = runs[at + 1]
    const isFollowed = after === 1 && next?.from === run.to + 1 && isSpaceAfter(text, words, run.to)
    for (const letters of before + after > 0 ? withoutArticles(words, run) : []) {
      if (letters.to - letters.from < chunkedLettersMin) continue
      const from = letters.from === run.from ? run.from - before : letters.from
      const to = letters.to === run.to ? run.to + after : letters.to
      if (from < letters.from) found.push({ from, to: letters.to, letters })
      if (to > letters.to) found.push({ from: letters.from, to, letters })
      if (from < letters.from && to > letters.to) found.push({ from, to, letters })
      if (isFollowed && to > letters.to) found.push({ from: letters.from, to: next.to, letters })
    }
  }
  return found
}

/** Runs of words of one letter, as long as they are. */
function findRuns(words: Words, lettersMin: number): Span[] {
  const { forms } = words
  const runs: Span[] = []
  const isSingle = (at: number) => {
    const form = forms[at]
    return form?.length === 1 && isPlain(form.charCodeAt(0))
  }
  let from = 0
  while (from < forms.length) {
    let to = from
    while (isSingle(to) && (to === from || gapAfter(words, to - 1) <= gapCharactersMax)) to += 1
    if (to - from >= lettersMin) runs.push({ from, to })
    from = Math.max(to, from + 1)
  }
  return runs
}

function gapAfter({ starts, ends }: Words, at: number): number {
  return (starts[at + 1] ?? 0) - (ends[at] ?? 0)
}

function isChunk({ forms }: Words, at: number): boolean {
  const length = forms[at]?.length ?? 0
  return length > 1 && length <= piecesMax
}

/** One or two spaces, or new lines. */
function isSpaceAfter(text: string, words: Words, at: number): boolean {
  const gap = gapAfter(words, at)
  const end = words.ends[at] ?? 0
  return (gap === 1 || gap === 2) && isSpace(text.charCodeAt(end)) && isSpace(text.charCodeAt(end + gap - 1))
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xa0
}

function splitRun(words: Words, run: Span): Span[] {
  let gapMin = gapCharactersMax
  for (let at = run.from; at < run.to - 1; at += 1) gapMin = Math.min(gapMin, gapAfter(words, at))
  const spans = [run]
  let from = run.from
  for (let at = run.from; at < run.to; at += 1) {
    if (at < run.to - 1 && gapAfter(words, at) <= gapMin) continue
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
export function joinLetters(text: string, { forms, starts, ends }: Words, { from, to }: Span): string {
  let form = ''
  for (let at = from; at < to; at += 1) {
    form += forms[at] ?? ''
    if (at < to - 1) form += /[@$!|+€£]/.exec(text.slice(ends[at] ?? 0, starts[at + 1] ?? 0))?.[0] ?? ''
  }
  return form
}
