import type { Style } from '#src/script/format/script'
import type { Emotion } from '#src/script/rules'
import type { Phrase, SpeechPlan } from '../plan-speech'
import { spokenText } from '../spoken-text'

/**
 * The text of one request. `places` gives, for each of its code points, the position in the author's text (-1 if it was
 * added); `phrases` the ranges of its phrases.
 */
export type Line = {
  text: string
  places: number[]
  phrases: { phrase: Phrase; from: number; to: number }[]
}

/** Texts of 800 to 900 characters sound most even. */
const lineCharactersMax = 850

/**
 * Divides the plan into lines of whole sentences. `hasTags`: the model, version 3, understands tags such as [whispers].
 */
export function linesOf(plan: SpeechPlan, { hasTags }: { hasTags: boolean }): Line[] {
  const lines: Line[] = []
  let pauseSeconds = 0
  let sentence = -1
  for (const piece of plan.pieces) {
    if ('pauseSeconds' in piece) {
      pauseSeconds = piece.pauseSeconds
      continue
    }
    const rendered = render(piece, { hasTags })
    const last = lines.at(-1)
    const isFull = last && last.places.length + rendered.places.length > lineCharactersMax
    if (!last || (isFull && piece.sentence !== sentence)) {
      lines.push({ ...rendered, phrases: [{ phrase: piece, from: 0, to: rendered.places.length }] })
    } else append(last, piece, rendered, pauseSeconds > 0.7 ? '\n\n' : ' ')
    sentence = piece.sentence
  }
  return lines
}

function append(line: Line, phrase: Phrase, rendered: Pick<Line, 'text' | 'places'>, between: string): void {
  const from = line.places.length + between.length
  line.text += between + rendered.text
  line.places = line.places.concat(Array(between.length).fill(-1), rendered.places)
  line.phrases.push({ phrase, from, to: line.places.length })
}

function render({ parts }: Phrase, { hasTags }: { hasTags: boolean }): Pick<Line, 'text' | 'places'> {
  let text = ''
  const places: number[] = []
  for (const part of parts) {
    const spoken = spokenText(part.text, part.at)
    const before = `${text && !/^\p{P}/u.test(spoken.text) ? ' ' : ''}${hasTags ? tagsOf(part.style) : ''}`
    text += before + spoken.text
    for (const _ of before) places.push(-1)
    for (const place of spoken.places) places.push(place)
  }
  return { text, places }
}

const emotionTags: Partial<Record<Emotion, string>> = {
  tender: '[tenderly] ',
  warm: '[warmly] ',
  playful: '[playfully] ',
  longing: '[longingly] ',
  excited: '[excited] ',
  nervous: '[nervously] ',
  sad: '[sad] ',
  calm: '[calm] ',
}

function tagsOf({ whisper, softer, slower, emotion }: Style): string {
  return [
    whisper ? '[whispers] ' : softer ? '[softly] ' : '',
    slower ? '[slowly] ' : '',
    emotion ? (emotionTags[emotion] ?? '') : '',
  ].join('')
}
