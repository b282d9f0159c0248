import type { TimedSentence } from '#src/narration/timing/timing-rules'

/** Prints a text with the times of its sentences as WebVTT (https://www.w3.org/TR/webvtt1/). */
export function printTranscript(text: string, sentences: readonly TimedSentence[]): string {
  const cues = sentences.flatMap(({ at, length, startSeconds, endSeconds }) => {
    const words = captionOf(text.slice(at, at + length))
    // A cue must end after it begins.
    const end = Math.max(endSeconds, startSeconds + 0.001)
    return words === '' ? [] : [`${timestamp(startSeconds)} --> ${timestamp(end)}\n${words}\n`]
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

/** The sentence on one line, without Markdown's signs and without anything that is markup in a cue. */
function captionOf(sentence: string): string {
  return sentence
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
}

/** Formats seconds: 3725.5 → "01:02:05.500". */
function timestamp(seconds: number): string {
  return new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23)
}
