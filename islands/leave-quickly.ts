/** Two presses of Esc count as one wish within this time. */
const doublePressMs = 600
const neutralPage = '/leave'

/** The door in every bar, and Esc twice: to a page of nobody's, without a way Back to this one. */
export function startLeaving(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const link = event.target.closest<HTMLAnchorElement>('[data-leave]')
    if (!link) return
    event.preventDefault()
    leave(link.href)
  })

  let lastEscapeAt = Number.NEGATIVE_INFINITY
  // Capturing: whatever the first press closes, two quick ones leave.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.repeat) return
      if (event.timeStamp - lastEscapeAt < doublePressMs) leave(neutralPage)
      lastEscapeAt = event.timeStamp
    },
    true,
  )
}

function leave(address: string): void {
  // What is on screen goes at once; the neutral page may take a moment to come.
  document.documentElement.hidden = true
  document.title = ' '
  for (const media of document.querySelectorAll('audio')) media.pause()
  location.replace(address)
}
