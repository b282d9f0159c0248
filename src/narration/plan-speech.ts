import { createTimeSlicer } from '#src/process/time-slice'
import { paragraphsOf, sceneBreak } from '#src/script/format/paragraphs'
import { flattenScript, type Script, type Span, type Style, stripScript } from '#src/script/format/script'
import { splitSentences } from '#src/script/format/split-sentences'
import type { ItemType } from '#src/story/rules'
import { spokenCharactersPerSecond } from './rules'

/** A stretch of the author's text in one style. `at` is its position in UTF-16 units. */
export type Utterance = { at: number; text: string; style: Style }
/** The text between two pauses: a sentence, or a part of one that the script's pauses delimit. */
export type Phrase = { sentence: number; parts: Utterance[] }
/** A phrase or a pause. The list is the same for every voice. */
type SpeechPiece = Phrase | { pauseSeconds: number }
type PlannedSentence = { at: number; length: number }
export type SpeechPlan = {
  pieces: SpeechPiece[]
  /** All spoken sentences. A phrase refers to its sentence by index. */
  sentences: PlannedSentence[]
  type: ItemType
}

/** Pauses from punctuation. Stories are read; flows leave time to follow the instructions. */
const pauses: Record<ItemType, { sentence: number; paragraph: number; scene: number }> = {
  story: { sentence: 0.38, paragraph: 0.8, scene: 1.6 },
  flow: { sentence: 0.8, paragraph: 1.8, scene: 2.5 },
}
/** Silence before the first word and after the last. Without it a file sounds cut off. */
const leadSeconds = 0.3
const trailSeconds = 0.8

/**
 * Plans a script as phrases with the silence between them. A pause in the script replaces the pause of punctuation and
 * is exactly as long as written. Before the first word and after the last, it is added to the default silence. Yields
 * to other requests: a book takes a tenth of a second.
 */
export async function planSpeech(script: Script, type: ItemType): Promise<SpeechPlan> {
  const pause = createTimeSlicer()
  const spans = flattenScript(script)
  const gaps = pauses[type]
  const pieces: SpeechPiece[] = []
  const sentences: PlannedSentence[] = []
  const readPause = pauseReader(spans)
  let implied = 0
  for (const { paragraph, at } of paragraphsOf(stripScript(script))) {
    await pause()
    if (sceneBreak.test(paragraph)) {
      implied = implied && gaps.scene
      continue
    }
    for (const sentence of splitSentences(paragraph)) {
      const from = at + sentence.at
      const phrases = phrasesOf(spans, from, from + sentence.text.length, sentences.length)
      if (phrases.length === 0) continue
      const writtenSeconds = readPause(from)
      const seconds = pieces.length === 0 ? leadSeconds + writtenSeconds : writtenSeconds || implied
      pieces.push({ pauseSeconds: seconds }, ...phrases)
      sentences.push({ at: from, length: sentence.text.length })
      readPause(from + sentence.text.length - 1)
      implied = gaps.sentence
    }
    implied = implied && Math.max(implied, gaps.paragraph)
  }
  if (pieces.length > 0) pieces.push({ pauseSeconds: trailSeconds + readPause(Number.POSITIVE_INFINITY) })
  return { pieces, sentences, type }
}

/** Counts the spoken characters of a plan, the unit that providers charge by. */
export function spokenCharacters({ pieces }: SpeechPlan): number {
  return pieces.reduce(
    (sum, piece) =>
      'parts' in piece ? sum + piece.parts.reduce((own, { text }) => own + text.length, 0) : sum,
    0,
  )
}

/** Reads the script's pauses in order: returns the sum of those up to a position, each counted once. */
function pauseReader(spans: readonly Span[]): (until: number) => number {
  const left = spans.flatMap((span) => ('pauseSeconds' in span ? [span] : []))
  let next = 0
  return (until) => {
    let seconds = 0
    for (; next < left.length && (left[next]?.at ?? 0) <= until; next += 1)
      seconds += left[next]?.pauseSeconds ?? 0
    return Math.round(seconds * 1_000) / 1_000
  }
}

/** The parts of the spans within a sentence, cut at the pauses inside it. */
function phrasesOf(spans: readonly Span[], from: number, to: number, sentence: number): SpeechPiece[] {
  const pieces: SpeechPiece[] = []
  let parts: Utterance[] = []
  let pauseSeconds = 0
  for (const span of spansWithin(spans, from, to)) {
    if ('pauseSeconds' in span) {
      if (span.at <= from || span.at >= to) continue
      if (parts.length > 0) pieces.push({ sentence, parts })
      parts = []
      if (pieces.length > 0) pauseSeconds += span.pauseSeconds
      continue
    }
    const start = Math.max(span.at, from)
    const text = span.text.slice(start - span.at, to - span.at)
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    if (pauseSeconds > 0) pieces.push({ pauseSeconds: Math.round(pauseSeconds * 1_000) / 1_000 })
    pauseSeconds = 0
    parts.push({ at: start, text, style: span.style })
  }
  if (parts.length > 0) pieces.push({ sentence, parts })
  return pieces
}

/**
 * The spans within a range. They are ordered, so a binary search finds the first one, and a long script is planned in
 * one pass.
 */
function* spansWithin(spans: readonly Span[], from: number, to: number): Generator<Span> {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(spans[middle]) < from) low = middle + 1
    else high = middle
  }
  for (let index = low; index < spans.length; index += 1) {
    const span = spans[index]
    if (!span || span.at > to) return
    yield span
  }
}

function endOf(span: Span | undefined): number {
  if (!span) return Number.POSITIVE_INFINITY
  return 'text' in span ? span.at + span.text.length : span.at
}

/** The approximate length of a plan when the built-in narrators speak it. */
export function spokenSeconds(plan: SpeechPlan): number {
  const silence = plan.pieces.reduce(
    (sum, piece) => sum + ('pauseSeconds' in piece ? piece.pauseSeconds : 0),
    0,
  )
  return silence + spokenCharacters(plan) / spokenCharactersPerSecond
}
