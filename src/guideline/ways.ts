import { letters } from './fold-text'

/**
 * A way to write one word: regular expressions for one place of a folded text, each with an end of its own, after
 * `begins`, which is cheap. `read` makes letters of what is written: all that it may stand for.
 */
export type Way = { begins?: RegExp; patterns: RegExp[]; read(written: string): string[] }

const letter = `[${letters}]`
const signOrLetter = `[${letters}A-Z]`
const joiner = '[-_.*/~]'
const mask = '[*_#]'
/** A letter that is a word by itself. Those of other alphabets are words more often than pieces. */
const single = `[a-z\\d](?!${letter})`
/** Any other word: the rest of one whose letters stand by themselves. */
const rest = `(?!${single})${letter}+`

const sticky = (pattern: string) => new RegExp(pattern, 'y')

/** As it stands. */
export const plain: Way = { patterns: [sticky(`${letter}+`)], read: (written) => [written] }

/** With signs for letters: `v@l|um`. Of ! and + at the end none are letters, or one, or all but one, or all. */
export const signed: Way = {
  begins: sticky(`(?=${letter}*[A-Z])(?<=(?:^|[^${letters}A-Z])[IT]*)`),
  patterns: ['?(?=[IT]*', '?[IT](?=[IT]*', '(?=[IT]', '(?='].map((end) =>
    sticky(`${signOrLetter}{1,80}${end}(?!${signOrLetter}))`),
  ),
  read: (written) => [written],
}

/** With a sign in the place of a letter, and no other beside the word: `l*ntern`. */
const masked: Way = {
  patterns: [sticky(`(?<!${letter}${mask})${letter}+${mask}${letter}+(?!${mask}?${letter})`)],
  read: (written) => [written.replace(/[_#]/, '*')],
}

/** Letters by themselves, alone or beside the rest of their word: `v a l i u m`, `val i u m`, `v a li u m`. */
export const spaced: Way = {
  begins: sticky(`(?:${letter}+ {1,4}|${noneBefore(gapOf(1))})${single}${gapOf(4)}${single}`),
  patterns: [1, 2, 3, 4].flatMap(spacedPatterns).map(sticky),
  // A ! or + among them is a letter, or parts them.
  read: (written) =>
    /[IT]/.test(written) ? [join(written), join(written.replace(/[IT]/g, '-'))] : [join(written)],
}

/** Held together by hyphens, dots and the like: two neighbours (`under-age`), or a whole run of them. */
const joined: Way = {
  patterns: [
    sticky(`${letter}+${joiner}${letter}+`),
    sticky(`(?<!${letter}${joiner})${letter}+(?:${joiner}${letter}+){2,39}`),
  ],
  read: (written) => [join(written)],
}

export const ways: readonly Way[] = [plain, signed, masked, joined, spaced]

/** Patterns of letters that are at most so many characters apart, with no further one as close by. */
function spacedPatterns(gapMax: number): string[] {
  const gap = gapOf(gapMax)
  const space = ` {1,${gapMax}}`
  const noneAfter = `(?!${gap}(?:[b-hj-z\\d]|[ai]${gap}[a-z\\d])(?!${letter}))`
  const run = `${single}(?:${gap}${single}){1,39}`
  // Two letters alone are too few.
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

/** An a or an I beside other letters may be a word of its own. */
function noneBefore(gap: string): string {
  return `(?<!(?<!${letter})(?:[b-hj-z\\d]|[a-z\\d]${gap}[ai])${gap})`
}

/** What is written in pieces, without what parts them. */
function join(written: string): string {
  return written.replace(/[^a-z\dA-Z\x80-\uffff]+/g, '')
}
