import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import { timeWords, wordsOf } from './split-words'

/** A heard word with its time. `isExact`: its own time; else a share of its line's. */
export type HeardWord = { text: string; startSeconds: number; endSeconds: number; isExact: boolean }

type Cue = {
  start: number
  end: number
  text: string
  words?: { text: string; start: number; end: number }[]
}

/** Twelve hours of words with their times. */
export const timingsCharactersMax = 8_000_000

/**
 * The words of a file of timings: WebVTT, SubRip, or JSON as speech recognisers write it (`segments` with or
 * without `words`, `words` alone, or a list of `{start, end, text}`; seconds). Throws `invalid`.
 */
export function readHeardWords(file: string): HeardWord[] {
  const text = file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const cues = /^\s*[[{]/.test(text) ? readJson(text) : readCues(text)
  const words = cues.flatMap(wordsOfCue).toSorted((a, b) => a.startSeconds - b.startSeconds)
  if (words.length === 0)
    throw refused(
      'No timings were found in this file. Send WebVTT, SubRip (.srt), or JSON with start, end and text.',
    )
  return words
}

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`
const cueLine = new RegExp(`^\\s*${time}\\s+-->\\s+${time}`)

function readCues(text: string): Cue[] {
  const cues: Cue[] = []
  for (const block of text.split(/\n{2,}/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => cueLine.test(line))
    const [, h1, m1, s1, f1, h2, m2, s2, f2] = cueLine.exec(lines[at] ?? '') ?? []
    if (m1 === undefined) continue
    cues.push({
      start: secondsOf(h1, m1, s1, f1),
      end: secondsOf(h2, m2, s2, f2),
      // <i>, <v Mara> and {\an8} are styling.
      text: lines
        .slice(at + 1)
        .join(' ')
        .replace(/<[^<>]*>|\{[^{}]*\}/g, ' '),
    })
  }
  return cues
}

function secondsOf(hours = '0', minutes = '0', seconds = '0', fraction = '0'): number {
  return (
    Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(fraction.padEnd(3, '0')) / 1_000
  )
}

const Timed = t.Object({ start: t.Number({ minimum: 0 }), end: t.Number({ minimum: 0 }) })
const Word = t.Intersect([Timed, t.Object({ word: t.Optional(t.String()), text: t.Optional(t.String()) })])
const Segment = t.Intersect([Word, t.Object({ words: t.Optional(t.Array(Word)) })])
const File = t.Object({ segments: t.Optional(t.Array(Segment)), words: t.Optional(t.Array(Word)) })

function readJson(text: string): Cue[] {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (cause) {
    throw refused('This file cannot be read as JSON. Send WebVTT, SubRip (.srt) or JSON.', cause)
  }
  if (Value.Check(t.Array(Segment), file)) return file.map(cueOf)
  if (!Value.Check(File, file))
    throw refused('This JSON has other fields than start, end and text, in seconds.')
  return (file.segments ?? file.words ?? []).map(cueOf)
}

function cueOf(segment: t.Static<typeof Segment>): Cue {
  const { start, end, words } = segment
  const cue = { start, end, text: segment.word ?? segment.text ?? '' }
  if (!words) return cue
  return { ...cue, words: words.map((each) => ({ ...each, text: each.word ?? each.text ?? '' })) }
}

function wordsOfCue({ start, end, text, words }: Cue): HeardWord[] {
  if (words && words.length > 0) return words.flatMap(wordsOfCue)
  const found = wordsOf(text, 0)
  const sound = { startSeconds: start, endSeconds: Math.max(start, end) }
  // The first word begins with its line; a line of one word is that word's own.
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
