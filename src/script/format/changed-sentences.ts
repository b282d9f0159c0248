import { paragraphsOf } from './paragraphs'
import { splitSentences } from './split-sentences'

/** The sentences of a text, in their order, each without the line ends within it. */
export function sentencesOf(text: string): string[] {
  const unified = text.replace(/\r\n?/g, '\n')
  return [...paragraphsOf(unified)].flatMap(({ paragraph }) =>
    splitSentences(paragraph).map((sentence) => sentence.text.replace(/\s+/g, ' ')),
  )
}

/** The sentences of `text` that `before` does not have; one that is there twice and was there once is new once. */
export function changedSentences(before: string, text: string): string[] {
  const known = new Map<string, number>()
  for (const sentence of sentencesOf(before)) known.set(sentence, (known.get(sentence) ?? 0) + 1)
  return sentencesOf(text).filter((sentence) => {
    const left = known.get(sentence) ?? 0
    known.set(sentence, left - 1)
    return left <= 0
  })
}
