import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { playerAtom, playerState } from '#islands/player/state'
import { chooseWord } from '#islands/reading/choose-word'
import { followVoice } from '#islands/reading/follow-voice'
import { findWordsOnPage } from '#islands/reading/words-on-page'
import { api } from '#islands/runtime/api'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { entryAt, type Timings, unpackTimings } from '#src/narration/timing/timing-rules'
import type { ItemTrack } from '#src/story/track-rules'
import { useElementId } from '#src/ui/element-id'
import { Switch } from '#src/ui/switch'

const choiceName = 'nocturne.readAlong'

export type ReadAlongProps = {
  track: ItemTrack
  /** Where listening stopped, in seconds; null if the saved position is one of reading, or if there is none. */
  heardSeconds: number | null
}

/** The timings of the words, or why there are none; null while they are not loaded. */
type Known = { timings: Timings } | { missing: string } | null

/** Highlights words as they are spoken. A press on a word plays from there. */
export default function ReadAlong({ track, heardSeconds }: ReadAlongProps) {
  const mark = useRef<HTMLSpanElement>(null)
  const switchId = useElementId()
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

  useEffect(() => {
    const text = mark.current && findText(mark.current)
    if (!text || !timings || !isOn) return
    const words = findWordsOnPage(text)
    const secondsNow = () =>
      playerState().currentTrack?.id === track.id ? playerState().currentTime : (heardSeconds ?? 0)
    return chooseWord({ text, words, timings, track, secondsNow })
  }, [timings, isOn, track, heardSeconds])

  useEffect(() => {
    const text = mark.current && findText(mark.current)
    if (!text || !timings || !isOn || !isLoaded) return
    text.classList.add('is-read-along')
    const stop = followVoice(text, findWordsOnPage(text), timings, track.id)
    return () => {
      text.classList.remove('is-read-along')
      stop()
    }
  }, [timings, isOn, isLoaded, track])

  const onTimings = useEffectEvent((found: Timings) => {
    const text = mark.current && findText(mark.current)
    if (text && heardSeconds && !isLoaded) showPlace(text, found, heardSeconds)
  })
  useEffect(() => {
    if (timings) onTimings(timings)
  }, [timings])

  const change = (next: boolean) => {
    setOn(next)
    writeStored('localStorage', choiceName, next ? 'on' : 'off')
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

/** Scrolls to where the narration stopped, unless the reader has begun to scroll. */
function showPlace(text: HTMLElement, timings: Timings, seconds: number): void {
  const sentence = entryAt(timings.sentences, seconds)
  const range = sentence && findWordsOnPage(text).rangeOf(sentence.at, sentence.length)
  const scroller = text.closest('dialog') ?? document.documentElement
  if (!range || scroller.matches(':focus-within:not(:has(h1:focus))')) return
  const { top } = range.getBoundingClientRect()
  // It is already in view: the position restored by share of the text was right.
  if (top > 0 && top < innerHeight * 0.6) return
  scroller.scrollBy({ top: top - innerHeight * 0.3, behavior: 'instant' })
}

/** Loads the timings, or the reason why there are none. Returns null for viewers who may not hear the narration. */
async function findTimings({ meta, voice }: ReadAlongProps['track']): Promise<Known> {
  const path = { id: meta.id, voice }
  const answer = await api('GET /api/premium-audio/:id/:voice/timings', { path }).catch(() => null)
  if (!answer) return null
  const { timings } = answer
  if (!timings) return { missing: 'This recording has no word timings, so the text cannot follow it.' }
  if (!timings.isOfThisText)
    return { missing: 'The text has changed since it was narrated, so it is not highlighted.' }
  return { timings: unpackTimings(timings) }
}
