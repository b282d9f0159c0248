import { playerState } from '#islands/player/state'
import type { WordsOnPage } from '#islands/reading/words-on-page'
import { entryAt, type Timings } from '#src/narration/timing/timing-rules'

const sentenceMark = 'lit-sentence'
const wordMark = 'lit-word'

/** The part of the window in which a sentence is comfortable to read. Outside of it the page scrolls. */
const easyShare = { top: 0.18, bottom: 0.7 }

/**
 * Highlights the sentence and the word being spoken while `trackId` plays. The page scrolls along until the reader
 * scrolls, and again once the spoken sentence is back in view. Returns a function that stops this.
 */
export function followVoice(
  text: HTMLElement,
  words: WordsOnPage,
  timings: Timings,
  trackId: string,
): () => void {
  let frame = 0
  let sentenceAt = -1
  let wordAt = -1
  let isFollowing = true

  const look = () => {
    frame = requestAnimationFrame(look)
    const seconds = soundingSeconds(trackId)
    if (seconds === null) return
    const sentence = entryAt(timings.sentences, seconds)
    if (sentence && sentence.at !== sentenceAt) {
      sentenceAt = sentence.at
      const range = words.rangeOf(sentence.at, sentence.length)
      mark(sentenceMark, range)
      if (range) follow(range)
    }
    const word = entryAt(timings.words, seconds)
    if ((word?.at ?? -1) !== wordAt) {
      wordAt = word?.at ?? -1
      mark(wordMark, word && words.rangeOf(word.at, word.length))
    }
  }

  const follow = (range: Range) => {
    const { top, bottom } = range.getBoundingClientRect()
    const isInView = top >= 0 && bottom <= innerHeight
    if (isInView) isFollowing = true
    const isEasy = top >= innerHeight * easyShare.top && bottom <= innerHeight * easyShare.bottom
    if (isFollowing && !isEasy) scrollAlong(text, top - innerHeight * 0.3)
  }

  const onReaderScrolls = () => {
    isFollowing = false
  }
  const byHand = ['wheel', 'touchmove'] as const
  for (const name of byHand) document.addEventListener(name, onReaderScrolls, { passive: true })
  document.addEventListener('keydown', onScrollKey)
  function onScrollKey({ key }: KeyboardEvent) {
    if (['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown'].includes(key)) onReaderScrolls()
  }

  look()
  return () => {
    cancelAnimationFrame(frame)
    for (const name of byHand) document.removeEventListener(name, onReaderScrolls)
    document.removeEventListener('keydown', onScrollKey)
    mark(sentenceMark, null)
    mark(wordMark, null)
  }
}

function scrollAlong(text: HTMLElement, top: number): void {
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
  ;(text.closest('dialog') ?? document.documentElement).scrollBy({ top, behavior })
}

/** Returns the audio element's time. It is finer than the player's state, which is updated four times a second. */
function soundingSeconds(trackId: string): number | null {
  const { currentTrack, currentTime } = playerState()
  if (currentTrack?.id !== trackId) return null
  const audio = document.querySelector<HTMLAudioElement>('#player-host audio[src]')
  return audio ? audio.currentTime : currentTime
}

/** Highlights a range, or removes the highlight. Browsers without the Highlight API show none. */
export function mark(name: string, range: Range | null | undefined): void {
  if (!('highlights' in CSS)) return
  if (range) CSS.highlights.set(name, new Highlight(range))
  else CSS.highlights.delete(name)
}
