/** A sentence and its position in the text, by which spoken sentences are found in the text. */
export type Sentence = { text: string; at: number }

/**
 * Longest sentence spoken in one piece. Within a sentence eSpeak pauses by itself; a much longer one would sound like a
 * list.
 */
const sentenceCharactersMax = 400

/** Abbreviations after which a sentence continues, whatever Unicode's rules say. "I." ends a sentence. */
const abbreviation =
  /(?:^|[\s("“‘])(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Mt|Rev|Hon|Sgt|Capt|Lt|Col|Gen|Jr|Sr|vs|e\.g|i\.e|cf|approx|[A-HJ-Z])\.\s*$/
/** Abbreviations only before a number, since people also say "No." */
const beforeNumber = /(?:^|[\s("“‘])(?:No|Vol|Fig|pp?)\.\s*$/

/** Splits one paragraph into sentences. Abbreviations do not end a sentence, nor does speech before "she said". */
export function splitSentences(paragraph: string): Sentence[] {
  const sentences: Sentence[] = []
  let before = ''
  for (const { text, at } of segmentsOf(paragraph)) {
    const last = sentences.at(-1)
    // Compares with the previous segment, not with the whole sentence so far, which would take quadratic time.
    if (last && goesOn(before, text)) last.text += text
    else sentences.push({ text, at })
    before = text
  }
  return sentences
    .flatMap(splitLong)
    .map(trim)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** White space after an ellipsis, if the next word looks like the beginning of a sentence. */
const afterEllipsis = /…[”’"')]*\s+(?=[“‘"'(]*\p{Lu})/gu

/** Created once: one for each paragraph took ten seconds for a book of short lines. */
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Splits by Unicode's rules, with two differences: an ellipsis may end a sentence, and a line end does not. */
function segmentsOf(paragraph: string): Sentence[] {
  const oneLine = paragraph.replace(/[\r\n]/g, ' ')
  return [...segmenter.segment(oneLine)].flatMap(({ segment, index }) => {
    const ends = [...segment.matchAll(afterEllipsis)].map((found) => found.index + found[0].length)
    let from = 0
    return [...ends, segment.length].map((end) => {
      const at = index + from
      const text = segment.slice(from, end)
      from = end
      return { text, at }
    })
  })
}

/**
 * Whether a segment continues the one before it, as in "“Come in.” he said" or "Mr. Lind": it begins with a small
 * letter, or the one before ends in an abbreviation.
 */
function goesOn(before: string, after: string): boolean {
  if (beforeNumber.test(before) && /^\p{N}/u.test(after)) return true
  return /^[\p{Ll},;:–—]/u.test(after) || abbreviation.test(before) || !/[\p{L}\p{N}]/u.test(after)
}

/** Cuts a long sentence at the last semicolon, dash or comma that does not leave a very short part. */
function splitLong({ text, at }: Sentence): Sentence[] {
  const parts: Sentence[] = []
  let from = 0
  while (text.length - from > sentenceCharactersMax) {
    const head = text.slice(from, from + sentenceCharactersMax)
    const cut = [/^.*[;:](?=\s)/s, /^.*\s[–—](?=\s)/s, /^.*,(?=\s)/s, /^.*\s/s]
      .map((pattern) => pattern.exec(head)?.[0].length ?? 0)
      .find((length) => length > sentenceCharactersMax / 4)
    const length = cut ?? sentenceCharactersMax
    parts.push({ text: head.slice(0, length), at: at + from })
    from += length
  }
  return [...parts, { text: text.slice(from), at: at + from }]
}

function trim({ text, at }: Sentence): Sentence {
  const trimmed = text.trimStart()
  return { text: trimmed.trimEnd(), at: at + text.length - trimmed.length }
}
