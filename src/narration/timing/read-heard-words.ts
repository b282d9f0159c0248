import * as t from 'typebox'
import { TypeCompiler } from 'typebox/compiler'
import { AppError } from '#src/app-error'
import { createTimeSlicer } from '#src/process/time-slice'
import { timeWords, wordsOf } from './split-words'

/** A heard word with its time. If `isExact` is false, the time is a share of the time of its line. */
export type HeardWord = { text: string; startSeconds: number; endSeconds: number; isExact: boolean }

type Cue = { start: number; end: number; text: string }

/** Enough for twelve hours of words with their times. */
export const timingsCharactersMax = 8_000_000

/**
 * Reads the words of a file of timings: WebVTT, SubRip, or JSON as speech recognisers write it (`segments` with or
 * without `words`, `words` alone, or a list of `{start, end, text}`; in seconds). Yields to other requests. Throws
 * `invalid`.
 */
export async function readHeardWords(file: string): Promise<HeardWord[]> {
  const text = file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const pause = createTimeSlicer()
  const words: HeardWord[] = []
  for (const cue of /^\s*[[{]/.test(text) ? readJson(text) : readCues(text)) {
    words.push(...wordsOfCue(cue))
    await pause()
  }
  if (words.length === 0)
    throw refused(
      'No timings were found in this file. Send WebVTT, SubRip (.srt), or JSON with start, end and text.',
    )
  return words.sort((a, b) => a.startSeconds - b.startSeconds)
}

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`
const cueLine = new RegExp(`^\\s*${time}\\s+-->\\s+${time}`)

function* readCues(text: string): Generator<Cue> {
  for (const block of text.split(/\n{2,}/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => cueLine.test(line))
    const [, h1, m1, s1, f1, h2, m2, s2, f2] = cueLine.exec(lines[at] ?? '') ?? []
    if (m1 === undefined) continue
    yield {
      start: secondsOf(h1, m1, s1, f1),
      end: secondsOf(h2, m2, s2, f2),
      // Removes styling such as <i>, <v Mara> and {\an8}.
      text: lines
        .slice(at + 1)
        .join(' ')
        .replace(/<[^<>]*>|\{[^{}]*\}/g, ' '),
    }
  }
}

function secondsOf(hours = '0', minutes = '0', seconds = '0', fraction = '0'): number {
  return (
    Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(fraction.padEnd(3, '0')) / 1_000
  )
}

const seconds = t.Number({ minimum: 0 })
const said = t.Optional(t.String())
/** Schema of a line or a word, whose text is in `word` or `text`. A recogniser's line may contain its words. */
const segmentCheck = TypeCompiler.Compile(
  t.Object({ start: seconds, end: seconds, word: said, text: said, words: t.Optional(t.Array(t.Unknown())) }),
)
const fileCheck = TypeCompiler.Compile(
  t.Object({ segments: t.Optional(t.Array(t.Unknown())), words: t.Optional(t.Array(t.Unknown())) }),
)

function* readJson(text: string): Generator<Cue> {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (cause) {
    throw refused('This file cannot be read as JSON. Send WebVTT, SubRip (.srt) or JSON.', cause)
  }
  if (Array.isArray(file)) yield* readSegments(file)
  else if (fileCheck.Check(file)) yield* readSegments(file.segments ?? file.words ?? [])
  else throw otherFields()
}

function* readSegments(segments: readonly unknown[]): Generator<Cue> {
  for (const segment of segments) {
    const { words = [] } = requireSegment(segment)
    for (const each of words.length > 0 ? words : [segment]) {
      const { start, end, word, text = '' } = requireSegment(each)
      yield { start, end, text: word ?? text }
    }
  }
}

/** Checks one segment as it is read, so that a long file is not checked in one long step. */
function requireSegment(segment: unknown) {
  if (!segmentCheck.Check(segment)) throw otherFields()
  return segment
}

function otherFields(): AppError {
  return refused('This JSON has other fields than start, end and text, in seconds.')
}

function wordsOfCue({ start, end, text }: Cue): HeardWord[] {
  const found = wordsOf(text, 0)
  const sound = { startSeconds: start, endSeconds: Math.max(start, end) }
  // The first word begins when its line begins. The time of a line with one word is exact for that word.
  const starts = found.map((_, at) => (at === 0 ? start : null))
  return timeWords(found, starts, sound).map(({ at, length, ...times }) => ({
    ...times,
    text: text.slice(at, at + length),
    isExact: found.length === 1 || (at === found[0]?.at && times.isExact),
  }))
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { cause, fields: [{ path: 'file', message }] })
}
