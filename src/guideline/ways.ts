import { letters } from './fold-text'

/**
 * A way to write one word. `patterns` are regular expressions for a position in a folded text, each with a different
 * end; `begins` is a cheap test before them. `read` converts the match to letters: all the forms that it may stand for.
 */
export type Way = { begins?: RegExp; patterns: RegExp[]; read(written: string): string[] }

const letter = `[${letters}]`
const signOrLetter = `[${letters}A-Z]`
const joiner = '[-_.*/~]'
const mask = '[*_#]'
/**
 * A letter that is a word by itself. In other alphabets such a letter is a word more often than a piece, so they are
 * excluded.
 */
const single = `[a-z\\d](?!${letter})`
/** Any other word: the rest of a word whose other letters are separate. */
const rest = `(?!${single})${letter}+`

const sticky = (pattern: string) => new RegExp(pattern, 'y')

/** The word as it is. */
export const plain: Way = { patterns: [sticky(`${letter}+`)], read: (written) => [written] }

/** Signs in place of letters: `v@l|um`. Of the ! and + at the end none, one, all but one, or all are letters. */
export const signed: Way = {
  begins: sticky(`(?=${letter}*[A-Z])(?<=(?:^|[^${letters}A-Z])[IT]*)`),
  patterns: ['?(?=[IT]*', '?[IT](?=[IT]*', '(?=[IT]', '(?='].map((end) =>
    sticky(`${signOrLetter}{1,80}${end}(?!${signOrLetter}))`),
  ),
  read: (written) => [written],
}

/** A sign that hides a letter, with no other sign beside the word: `l*ntern`. */
const masked: Way = {
  patterns: [sticky(`(?<!${letter}${mask})${letter}+${mask}${letter}+(?!${mask}?${letter})`)],
  read: (written) => [written.replace(/[_#]/, '*')],
}

/** Separate letters, alone or beside the rest of their word: `v a l i u m`, `val i u m`, `v a li u m`. */
export const spaced: Way = {
  begins: sticky(`(?:${letter}+ {1,4}|${noneBefore(gapOf(1))})${single}${gapOf(4)}${single}`),
  patterns: [1, 2, 3, 4].flatMap(spacedPatterns).map(sticky),
  // A ! or + among them is a letter or a separator.
  read: (written) =>
    /[IT]/.test(written) ? [join(written), join(written.replace(/[IT]/g, '-'))] : [join(written)],
}

/** Pieces joined by hyphens, dots and the like: two of them (`under-age`), or a whole run. */
const joined: Way = {
  patterns: [
    sticky(`${letter}+${joiner}${letter}+`),
    sticky(`(?<!${letter}${joiner})${letter}+(?:${joiner}${letter}+){2,39}`),
  ],
  read: (written) => [join(written)],
}

export const ways: readonly Way[] = [plain, signed, masked, joined, spaced]

/** Patterns of letters that are at most `gapMax` characters apart, without another letter equally close. */
function spacedPatterns(gapMax: number): string[] {
  const gap = gapOf(gapMax)
  const space = ` {1,${gapMax}}`
  const noneAfter = `(?!${gap}(?:[b-hj-z\\d]|[ai]${gap}[a-z\\d])(?!${letter}))`
  const run = `${single}(?:${gap}${single}){1,39}`
  // Two separate letters are too few.
  const alone = `${noneBefore(gap)}${single}(?:${gap}${single}){2,39}`
  const behind = `${rest}${space}${run}`
  const around = `(?:${noneBefore(gap)}|${rest}${space})${run}${space}${rest}`
  const ends = [alone, behind, `${around}${space}${run}`].flatMap((all) => [
    `${all}?${noneAfter}`,
    `${all}${noneAfter}`,
  ])
  return [...ends, around, `${around}${space}${run}${space}${rest}`]
}

function gapOf(charactersMax: number): string {
  return `[^${letters}]{1,${charactersMax}}`
}

/** Requires that no further separate letter precedes. An a or an I beside other letters may be a word of its own. */
function noneBefore(gap: string): string {
  return `(?<!(?<!${letter})(?:[b-hj-z\\d]|[a-z\\d]${gap}[ai])${gap})`
}

/** Joins the pieces of a word by removing the separators. */
function join(written: string): string {
  return written.replace(/[^a-z\dA-Z\x80-\uffff]+/g, '')
}
