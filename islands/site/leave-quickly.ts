/** Two presses of Esc within this time count as one request. */
const doublePressMs = 600
const neutralPage = '/leave'

/** The elements that a press of Esc closes: a dialog, the drawer, a menu. */
const closedByEscape = '[data-open],dialog[open]'

/** The Leave button in every bar, and Esc twice: both go to a neutral page, without a way back to this one. */
export function startLeaving(): void {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-leave]')) {
      event.preventDefault()
      leave()
    }
  })

  let lastEscapeAt = -doublePressMs
  // Listens in the capture phase, before the press closes anything: a press that closes something does not
  // count.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.repeat || document.querySelector(closedByEscape)) return
      if (event.timeStamp - lastEscapeAt < doublePressMs) leave()
      lastEscapeAt = event.timeStamp
    },
    true,
  )
}

function leave(): void {
  // The screen is cleared at once; the neutral page may take a moment to load.
  document.documentElement.hidden = true
  document.title = ' '
  for (const media of document.querySelectorAll('audio')) media.pause()
  // A start under way, or the countdown to the next item, would sound while the neutral page is on its way.
  HTMLMediaElement.prototype.play = async () => {}
  location.replace(neutralPage)
}
