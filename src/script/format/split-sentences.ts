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
  for (const { text, at } of segmentsOf(paragraph)) {
    const last = sentences.at(-1)
    if (last && goesOn(last.text, text)) last.text += text
    else sentences.push({ text, at })
  }
  return sentences
    .flatMap(splitLong)
    .map(trim)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** Unicode does not end a sentence at an ellipsis, and ends one at every line. */
function segmentsOf(paragraph: string): Sentence[] {
  const oneLine = paragraph.replace(/[\r\n]/g, ' ')
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(oneLine)
  return [...segments].flatMap(({ segment, index }) => {
    let at = index
    return segment.split(/(?<=…[”’"')]*\s+)(?=[“‘"'(]*\p{Lu})/u).map((text) => {
      at += text.length
      return { text, at: at - text.length }
    })
  })
}

/** "“Come in.” he said", "Mr. Lind": the second part begins small, or the first ends in an abbreviation. */
function goesOn(before: string, after: string): boolean {
  if (beforeNumber.test(before) && /^\p{N}/u.test(after)) return true
  return /^[\p{Ll},;:–—]/u.test(after) || abbreviation.test(before) || !/[\p{L}\p{N}]/u.test(after)
}

/** Cuts a long sentence at the last semicolon, dash or comma that leaves two speakable parts. */
function splitLong(sentence: Sentence): Sentence[] {
  const { text, at } = sentence
  if (text.length <= sentenceCharactersMax) return [sentence]
  const head = text.slice(0, sentenceCharactersMax)
  const cut = [/^.*[;:](?=\s)/s, /^.*\s[–—](?=\s)/s, /^.*,(?=\s)/s, /^.*\s/s]
    .map((pattern) => pattern.exec(head)?.[0].length ?? 0)
    .find((length) => length > sentenceCharactersMax / 4)
  const length = cut ?? sentenceCharactersMax
  return [{ text: text.slice(0, length), at }, ...splitLong({ text: text.slice(length), at: at + length })]
}

function trim({ text, at }: Sentence): Sentence {
  const trimmed = text.trimStart()
  return { text: trimmed.trimEnd(), at: at + text.length - trimmed.length }
}
