import { emit, type Track } from '#islands/events'
import { mark } from '#islands/reading/follow-voice'
import type { WordsOnPage } from '#islands/reading/words-on-page'
import { entryAt, type Timings } from '#src/narration/timings'
import type { TimedWord } from '#src/narration/words'

const chosenMark = 'chosen-word'
const label = 'The text. Left and right arrows choose a word, Enter plays from there.'

/**
 * A press on a word plays from there. With the keyboard the text is one stop: the arrows choose a word (with
 * Shift a sentence), Enter plays from it. Gives the way to stop.
 */
export function chooseWord(
  text: HTMLElement,
  words: WordsOnPage,
  { sentences, words: timed }: Timings,
  track: Track,
  secondsNow: () => number,
): () => void {
  const spoken = timed.length > 0 ? timed : sentences.map((sentence) => ({ ...sentence, isExact: true }))
  let chosen: TimedWord | null = null

  const playFrom = (word: TimedWord) => emit('nocturne:play', { track, startSeconds: word.startSeconds })

  const onPress = (event: MouseEvent) => {
    if (event.button !== 0 || !getSelection()?.isCollapsed) return
    const place = words.placeAt(event.clientX, event.clientY)
    const word = place === null ? null : wordAt(spoken, place)
    if (word) playFrom(word)
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.target !== text) return
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step !== 0) choose(event.shiftKey ? nextSentence(step) : nextWord(step))
    else if (event.key === 'Enter' && chosen) playFrom(chosen)
    else return
    event.preventDefault()
  }

  const nextWord = (step: 1 | -1) => {
    const from = chosen
      ? spoken.indexOf(chosen)
      : spoken.indexOf(entryAt(spoken, secondsNow()) ?? (spoken[0] as TimedWord)) - step
    return spoken[Math.min(spoken.length - 1, Math.max(0, from + step))] ?? null
  }
  const nextSentence = (step: 1 | -1) => {
    const at = entryAt(sentences, chosen?.startSeconds ?? secondsNow())
    const index = (at ? sentences.indexOf(at) : 0) + step
    const sentence = sentences[Math.min(sentences.length - 1, Math.max(0, index))]
    return sentence ? wordAt(spoken, sentence.at) : null
  }

  const choose = (word: TimedWord | null) => {
    chosen = word
    const range = word && words.rangeOf(word.at, word.length)
    mark(chosenMark, range)
    if (!range) return
    const { top, bottom } = range.getBoundingClientRect()
    if (top < 80 || bottom > innerHeight - 140)
      (text.closest('dialog') ?? document.documentElement).scrollBy({ top: top - innerHeight / 2 })
    const announcer = document.getElementById('announcer')
    if (announcer) announcer.textContent = range.toString()
  }
  const onBlur = () => choose(null)

  text.tabIndex = 0
  text.setAttribute('role', 'group')
  text.setAttribute('aria-label', label)
  text.classList.add('can-be-heard')
  text.addEventListener('click', onPress)
  text.addEventListener('keydown', onKey)
  text.addEventListener('blur', onBlur)
  return () => {
    text.removeAttribute('tabindex')
    text.removeAttribute('role')
    text.removeAttribute('aria-label')
    text.classList.remove('can-be-heard')
    text.removeEventListener('click', onPress)
    text.removeEventListener('keydown', onKey)
    text.removeEventListener('blur', onBlur)
    mark(chosenMark, null)
  }
}

/** The word at a place of the text, or the last one before it. */
function wordAt(spoken: readonly TimedWord[], place: number): TimedWord | null {
  return spoken.findLast(({ at }) => at <= place) ?? spoken[0] ?? null
}
