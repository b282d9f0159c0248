import { createTimeSlicer } from '#src/process/time-slice'
import { paragraphsOf } from './paragraphs'
import { splitSentences } from './split-sentences'

/** Lists the sentences of a text, in order, each without line ends inside it. */
export async function sentencesOf(text: string): Promise<string[]> {
  const pause = createTimeSlicer()
  const sentences: string[] = []
  for (const { paragraph } of paragraphsOf(text.replace(/\r\n?/g, '\n'))) {
    for (const sentence of splitSentences(paragraph)) sentences.push(sentence.text.replace(/\s+/g, ' '))
    await pause()
  }
  return sentences
}

/**
 * Lists the sentences of `text` that are not in `before`. If a sentence occurred once and now occurs twice, it is
 * listed once.
 */
export async function changedSentences(before: string, text: string): Promise<string[]> {
  const known = new Map<string, number>()
  for (const sentence of await sentencesOf(before)) known.set(sentence, (known.get(sentence) ?? 0) + 1)
  return (await sentencesOf(text)).filter((sentence) => {
    const left = known.get(sentence) ?? 0
    known.set(sentence, left - 1)
    return left <= 0
  })
}
