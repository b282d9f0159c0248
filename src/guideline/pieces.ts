import type { Words } from './tokenize'

/**
 * Words of a text, from one up to but without another, that may be the pieces of one word of the rules. `shape` has
 * a character for each: `l` is a letter by itself, `w` is longer. Between them stands how they are parted: `+` are
 * signs that pass for letters, `-` is a sign that joins, `*` one that hides a letter, ` ` one or two spaces, `~`
 * anything else that is short.
 */
export type Pieces = { from: number; to: number; start: number; end: number; shape: string; gapMax: number }

/** Between two letters of a word that is spaced out there is no more than this. */
const gapCharactersMax = 4

/** A way to write one word in pieces. */
type Way = {
  shape: RegExp
  /** The shape as far as it goes, where there may be many pieces. */
  begins?: RegExp
  /** Whether the word ends at its beginning (-1) or end (1): what stands beside it is no further piece. */
  isEdge(words: Words, pieces: Pieces, side: Side): boolean
}
type Side = -1 | 1

/** Letters by themselves, alone or beside the rest of their word: `v a l i u m`, `val i u m`, `v a li u m`. */
const spaced: Way = {
  shape: /^(?!l.l$)(?:w )?l(?:.l)+(?: w l(?:.l)+)?(?: w)?$/,
  begins: /^(?:w )?(?:l(?:.l)+ w )?l(?:.l)*(?: w)?$/,
  isEdge: (words, { from, to, shape, gapMax }, side) =>
    side < 0
      ? shape.startsWith('w') || endsRun(words, from, side, gapMax)
      : shape.endsWith('w') || endsRun(words, to - 1, side, gapMax),
}

const ways: Way[] = [
  { shape: /^[lw]$/, isEdge: () => true },
  spaced,
  // With signs that pass for letters (`v@l|um`). At the edges an exclamation mark is more often one than a letter.
  {
    shape: /^\+?[lw](?:\+[lw])*\+?$/,
    begins: /^[+lw]+$/,
    isEdge: ({ folded }, { start, end }, side) =>
      side < 0
        ? /(?:^|[^\dA-Za-z\x80-\uffff])[IT]*$/.test(folded.slice(Math.max(0, start - 9), start))
        : /^[IT]*(?:$|[^\dA-Za-z\x80-\uffff])/.test(folded.slice(end, end + 9)),
  },
  // Held together by hyphens, dots and the like (`under-age`): the whole run, and each two neighbours.
  {
    shape: /^[lw](?:-[lw])+$/,
    begins: /^[-lw]+$/,
    isEdge: (words, { from, to, shape }, side) =>
      shape.length === 3 || lookOfGap(words, side < 0 ? from - 1 : to - 1) !== '-',
  },
  // With a sign in the place of a letter, and no other beside the word (`l*ntern`).
  {
    shape: /^[lw]\*[lw]$/,
    isEdge: (words, { from, to }, side) => !/^[*_#]$/.test(gapAfter(words, side < 0 ? from - 1 : to - 1)),
  },
]

const joiners = '-_.*/~'

/** Whether pieces look like one word. A whole phrase is written as one only letter by letter. */
export function isOneWord(words: Words, pieces: Pieces, among: readonly Way[] = ways): boolean {
  return among.some(
    ({ shape, isEdge }) => shape.test(pieces.shape) && isEdge(words, pieces, -1) && isEdge(words, pieces, 1),
  )
}

export function isSpacedOut(words: Words, pieces: Pieces): boolean {
  return isOneWord(words, pieces, [spaced])
}

/** Whether pieces may look like one word once others are added. */
export function mayGoOn(words: Words, pieces: Pieces): boolean {
  return ways.some(({ begins, isEdge }) => begins?.test(pieces.shape) && isEdge(words, pieces, -1))
}

/** What a word is in a shape. */
export function lookOf(words: Words, at: number): string {
  return isLetter(words, at) ? 'l' : 'w'
}

/** What the gap between a word and the next is in a shape; none where nobody would write one word like that. */
export function lookOfGap(words: Words, at: number): string | undefined {
  const gap = gapAfter(words, at)
  if (gap.length === 1 && joiners.includes(gap)) return '-'
  if (/^[A-Z]+$/.test(gap)) return '+'
  if (gap === '' || gap.length > gapCharactersMax || !(isLetter(words, at) || isLetter(words, at + 1))) return
  return gap === ' ' || gap === '  ' ? ' ' : '~'
}

/** What stands between a word and the next, folded. Nothing parts the first and the last from others. */
export function gapAfter({ folded, starts, ends }: Words, at: number): string {
  return at < 0 || at + 1 >= starts.length ? '' : folded.slice(ends[at], starts[at + 1])
}

/** A letter of any other alphabet by itself may be a word. */
function isLetter({ folded, starts, ends }: Words, at: number): boolean {
  const start = starts[at] ?? 0
  return ends[at] === start + 1 && folded.charCodeAt(start) < 128
}

/** Whether no letter stands beside a word as close as those of its run. */
function endsRun(words: Words, at: number, side: Side, gapMax: number): boolean {
  const isNear = (next: number) =>
    isLetter(words, next) && gapAfter(words, side < 0 ? next : next - 1).length <= gapMax
  const next = at + side
  // An a or I at the edge of a run may be a word of its own.
  const isArticle = () => 'ai'.includes(words.folded.charAt(words.starts[next] ?? 0)) && !isNear(next + side)
  return !isNear(next) || isArticle()
}
