import { useAtomValue } from 'jotai'
import { useEffect, useId, useRef, useState } from 'react'
import { apiCall } from '#islands/api-call'
import { keepStored, readStored } from '#islands/browser-storage'
import type { Track } from '#islands/events'
import { playerAtom, playerState } from '#islands/player/state'
import { chooseWord } from '#islands/reading/choose-word'
import { followVoice } from '#islands/reading/follow-voice'
import { findWordsOnPage } from '#islands/reading/words-on-page'
import { entryAt, type PackedTimings, type Timings, unpackTimings } from '#src/narration/timings'
import type { TrackItem } from '#src/story/track'
import { Switch } from '#src/ui/switch'
import { urls } from '#src/urls'

const choiceName = 'nocturne.readAlong'

export type ReadAlongProps = {
  track: Track & { meta: TrackItem }
  /** Where listening stopped, in seconds; null where it was reading, or nothing was kept. */
  heardSeconds: number | null
}

/** What is known of when each word is heard. */
type Known = { timings: Timings } | { missing: string } | null

/** The words lit as they are spoken, and a press on a word to hear it from there. */
export default function ReadAlong({ track, heardSeconds }: ReadAlongProps) {
  const mark = useRef<HTMLSpanElement>(null)
  const switchId = useId()
  const [known, setKnown] = useState<Known>(null)
  const [isOn, setOn] = useState(true)
  const { currentTrack } = useAtomValue(playerAtom)
  const isLoaded = currentTrack?.id === track.id
  const timings = known && 'timings' in known ? known.timings : null

  useEffect(() => {
    setOn(readStored('localStorage', choiceName) !== 'off')
    let isGone = false
    findTimings(track).then((found) => isGone || setKnown(found))
    return () => {
      isGone = true
    }
  }, [track])

  // biome-ignore lint/correctness/useExhaustiveDependencies: one text, one narration; the track is that of the page
  useEffect(() => {
    const text = mark.current && findText(mark.current)
    if (!text || !timings || !isOn) return
    const words = findWordsOnPage(text)
    const secondsNow = () =>
      playerState().currentTrack?.id === track.id ? playerState().currentTime : (heardSeconds ?? 0)
    return chooseWord(text, words, timings, track, secondsNow)
  }, [timings, isOn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const text = mark.current && findText(mark.current)
    if (!text || !timings || !isOn || !isLoaded) return
    text.classList.add('is-read-along')
    const stop = followVoice(text, findWordsOnPage(text), timings, track.id)
    return () => {
      text.classList.remove('is-read-along')
      stop()
    }
  }, [timings, isOn, isLoaded])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the times are there
  useEffect(() => {
    const text = mark.current && findText(mark.current)
    if (text && timings && heardSeconds && !isLoaded) showPlace(text, timings, heardSeconds)
  }, [timings])

  const change = (next: boolean) => {
    setOn(next)
    keepStored('localStorage', choiceName, next ? 'on' : 'off')
  }

  return (
    <>
      <span ref={mark} hidden />
      {timings && (
        <label className="tool" htmlFor={switchId}>
          <span className="tool-label">Read along</span>
          <Switch id={switchId} checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
        </label>
      )}
      {known && 'missing' in known && <p className="meta read-along-words">{known.missing}</p>}
    </>
  )
}

function findText(inside: Element): HTMLElement | null {
  return (inside.closest('.reader') ?? inside.closest('main'))?.querySelector('.story-text') ?? null
}

/** The text opens where the voice stopped, unless the reader has begun to move. */
function showPlace(text: HTMLElement, timings: Timings, seconds: number): void {
  const sentence = entryAt(timings.sentences, seconds)
  const range = sentence && findWordsOnPage(text).rangeOf(sentence.at, sentence.length)
  const scroller = text.closest('dialog') ?? document.documentElement
  if (!range || scroller.matches(':focus-within:not(:has(h1:focus))')) return
  const { top } = range.getBoundingClientRect()
  // Already near: the place by its share of the text was right.
  if (top > 0 && top < innerHeight * 0.6) return
  scroller.scrollBy({ top: top - innerHeight * 0.3, behavior: 'instant' })
}

/** Null for someone who may not hear it: what one cannot hear need not be explained. */
async function findTimings({ meta, voice }: ReadAlongProps['track']): Promise<Known> {
  const answer = await apiCall(urls.apiTimings(meta.id, voice)).catch(() => null)
  if (typeof answer !== 'object' || answer === null || !('timings' in answer)) return null
  if (!isPacked(answer.timings))
    return { missing: 'Nobody knows when which word of this narration is heard, so the text is not lit.' }
  if (!answer.timings.isOfThisText)
    return { missing: 'The text was changed since it was narrated, so it is not lit.' }
  return { timings: unpackTimings(answer.timings) }
}

function isPacked(value: unknown): value is PackedTimings & { isOfThisText: boolean } {
  return typeof value === 'object' && value !== null && 'sentences' in value && 'isOfThisText' in value
}
