import { mark } from '#islands/reading/follow-voice'
import type { WordsOnPage } from '#islands/reading/words-on-page'
import { emit } from '#islands/runtime/events'
import { announce } from '#islands/site/show-dialog'
import type { TimedWord } from '#src/narration/timing/split-words'
import { entryAt, type Timings } from '#src/narration/timing/timing-rules'
import type { Track } from '#src/story/track-rules'

const chosenMark = 'chosen-word'
const label = 'The text. Left and right arrows choose a word, Enter plays from there.'

type SpokenText = {
  text: HTMLElement
  words: WordsOnPage
  timings: Timings
  track: Track
  secondsNow: () => number
}

/**
 * Plays from a pressed word. For the keyboard the text is a single tab stop: the arrow keys choose a word (with Shift a
 * sentence), Enter plays from it. Returns a function that stops this.
 */
export function chooseWord(spokenText: SpokenText): () => void {
  const { text, words, timings, track } = spokenText
  const spoken = spokenWords(timings)
  const step = stepper(spoken, spokenText)
  let chosen: TimedWord | null = null

  const playFrom = (word: TimedWord) => emit('nocturne:play', { track, startSeconds: word.startSeconds })
  const choose = (word: TimedWord | null) => {
    chosen = word
    const range = word && words.rangeOf(word.at, word.length)
    mark(chosenMark, range)
    if (range) showChosen(text, range)
  }

  const onPress = (event: MouseEvent) => {
    if (event.button !== 0 || !getSelection()?.isCollapsed) return
    const place = words.placeAt(event.clientX, event.clientY)
    const word = place === null ? null : wordAt(spoken, place)
    if (word) playFrom(word)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== text) return
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by !== 0) choose(event.shiftKey ? step.sentence(chosen, by) : step.word(chosen, by))
    else if (event.key === 'Enter' && chosen) playFrom(chosen)
    else return
    event.preventDefault()
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
    for (const name of ['tabindex', 'role', 'aria-label']) text.removeAttribute(name)
    text.classList.remove('can-be-heard')
    text.removeEventListener('click', onPress)
    text.removeEventListener('keydown', onKey)
    text.removeEventListener('blur', onBlur)
    mark(chosenMark, null)
  }
}

/** Returns the words to choose from. Without timings of words, each sentence counts as its first word. */
function spokenWords({ sentences, words }: Timings): readonly TimedWord[] {
  return words.length > 0 ? words : sentences.map((sentence) => ({ ...sentence, isExact: true }))
}

/** Returns functions that find the word or sentence next to the chosen one, or to the one being spoken. */
function stepper(
  spoken: readonly TimedWord[],
  { timings: { sentences }, secondsNow }: Pick<SpokenText, 'timings' | 'secondsNow'>,
) {
  return {
    word(chosen: TimedWord | null, by: 1 | -1): TimedWord | null {
      const heard = entryAt(spoken, secondsNow())
      const from = chosen ? spoken.indexOf(chosen) : (heard ? spoken.indexOf(heard) : 0) - by
      return spoken[Math.min(spoken.length - 1, Math.max(0, from + by))] ?? null
    },
    sentence(chosen: TimedWord | null, by: 1 | -1): TimedWord | null {
      const at = entryAt(sentences, chosen?.startSeconds ?? secondsNow())
      const index = (at ? sentences.indexOf(at) : 0) + by
      const sentence = sentences[Math.min(sentences.length - 1, Math.max(0, index))]
      return sentence ? wordAt(spoken, sentence.at) : null
    },
  }
}

/** Scrolls the chosen word into view, and announces it to screen readers. */
function showChosen(text: HTMLElement, range: Range): void {
  const { top, bottom } = range.getBoundingClientRect()
  if (top < 80 || bottom > innerHeight - 140)
    (text.closest('dialog') ?? document.documentElement).scrollBy({ top: top - innerHeight / 2 })
  announce(range.toString())
}

/** Returns the word at an offset of the text, or the last one before it. */
function wordAt(spoken: readonly TimedWord[], place: number): TimedWord | null {
  return spoken.findLast(({ at }) => at <= place) ?? spoken[0] ?? null
}
