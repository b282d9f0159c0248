/** A sentence and where it begins in its text, so that spoken sentences can be found in the text. */
export type Sentence = { text: string; at: number }

/** eSpeak breathes by itself inside of a sentence; one without end would sound like a list. */
const sentenceCharactersMax = 400

/** After these a sentence goes on, whatever the rules of Unicode say. "I." ends one. */
const abbreviation =
  /(?:^|[\s("“‘])(?:Mr|Mrs|Ms|Mx|Dr|Prof|St|Mt|Rev|Hon|Sgt|Capt|Lt|Col|Gen|Jr|Sr|vs|e\.g|i\.e|cf|approx|[A-HJ-Z])\.\s*$/
/** These only before a number: "No." is what people say. */
const beforeNumber = /(?:^|[\s("“‘])(?:No|Vol|Fig|pp?)\.\s*$/

/** The sentences of one paragraph. Abbreviations do not end one, nor does speech before "she said". */
export function splitSentences(paragraph: string): Sentence[] {
  const sentences: Sentence[] = []
  let before = ''
  for (const { text, at } of segmentsOf(paragraph)) {
    const last = sentences.at(-1)
    // The segment before, not all of the sentence: to look through that each time would take the square of its length.
    if (last && goesOn(before, text)) last.text += text
    else sentences.push({ text, at })
    before = text
  }
  return sentences
    .flatMap(splitLong)
    .map(trim)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** White space after an ellipsis, before what begins as a sentence does. */
const afterEllipsis = /…[”’"')]*\s+(?=[“‘"'(]*\p{Lu})/gu

/** Made once: one for each paragraph took a book of short lines ten seconds. */
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Unicode does not end a sentence at an ellipsis, and ends one at every line. */
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

/** "“Come in.” he said", "Mr. Lind": the second part begins small, or the first ends in an abbreviation. */
function goesOn(before: string, after: string): boolean {
  if (beforeNumber.test(before) && /^\p{N}/u.test(after)) return true
  return /^[\p{Ll},;:–—]/u.test(after) || abbreviation.test(before) || !/[\p{L}\p{N}]/u.test(after)
}

/** Cuts a long sentence at the last semicolon, dash or comma that leaves two speakable parts. */
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
