import { splitSentences } from '#src/script/split-sentences'

/** What is spoken and what is not: the same list, whichever voice speaks it. `at` is a place in the text. */
export type SpeechPiece = { text: string; at: number } | { pauseSeconds: number }

/** Stories are read; flows leave time to do what they say. */
export type Pace = 'story' | 'flow'

const pauses: Record<Pace, { sentence: number; paragraph: number; scene: number }> = {
  story: { sentence: 0.38, paragraph: 0.8, scene: 1.6 },
  flow: { sentence: 0.8, paragraph: 1.8, scene: 2.5 },
}
/** Before the first word and after the last: a file that begins at once sounds cut off. */
const leadSeconds = 0.3
const trailSeconds = 0.8

const sceneBreak = /^\s*(?:[*_~#·•–—-]\s*){1,}$/

/** A text as sentences with the pauses between them. Markup of Markdown is not spoken. */
export function planSpeech(text: string, pace: Pace): SpeechPiece[] {
  const pieces: SpeechPiece[] = [{ pauseSeconds: leadSeconds }]
  const gaps = pauses[pace]
  let gap = 0
  for (const { paragraph, at } of paragraphsOf(text)) {
    if (sceneBreak.test(paragraph)) {
      gap = gap && gaps.scene
      continue
    }
    for (const sentence of splitSentences(paragraph)) {
      if (gap > 0) pieces.push({ pauseSeconds: gap })
      pieces.push({ text: spoken(sentence.text), at: at + sentence.at })
      gap = gaps.sentence
    }
    gap = gap && Math.max(gap, gaps.paragraph)
  }
  pieces.push({ pauseSeconds: trailSeconds })
  return pieces
}

function* paragraphsOf(text: string): Generator<{ paragraph: string; at: number }> {
  for (const { 0: paragraph, index } of text.matchAll(/[^\n]+(?:\n(?!\s*\n)[^\n]+)*/g)) {
    if (paragraph.trim()) yield { paragraph, at: index }
  }
}

/** What a voice is given: without the signs that Markdown writes for the eye, on one line. */
function spoken(sentence: string): string {
  return sentence
    .replace(/^#{1,6}\s+/, '')
    .replace(/[*_`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
