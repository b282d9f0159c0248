/** Two presses of Esc within this time count as one request. */
const doublePressMs = 600
const neutralPage = '/leave'

/** Elements that Esc closes: a dialog, the drawer, a menu. */
const closedByEscape = '[data-open],dialog[open]'

/**
 * Handles the Leave button of every bar, and Esc pressed twice: both go to a neutral page, without a way back to this
 * one.
 */
export function startLeaving(): void {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-leave]')) {
      event.preventDefault()
      leave()
    }
  })

  let lastEscapeAt = -doublePressMs
  // In the capture phase, before the press closes anything, because a press that closes something does not count.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.repeat || document.querySelector(closedByEscape)) return
      const isSecond = event.timeStamp - lastEscapeAt < doublePressMs
      // A third press would request the neutral page again, and so later.
      lastEscapeAt = isSecond ? -doublePressMs : event.timeStamp
      if (isSecond) leave()
    },
    true,
  )
}

function leave(): void {
  // The screen is cleared at once, because the neutral page may take a moment to load.
  document.documentElement.hidden = true
  document.title = ' '
  for (const media of document.querySelectorAll('audio')) media.pause()
  // A start under way or the countdown to the next item could begin to play while the neutral page is loading.
  HTMLMediaElement.prototype.play = async () => {}
  location.replace(neutralPage)
}
