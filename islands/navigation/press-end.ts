/** How long to wait at most for the release of a press, in milliseconds. */
const heldMaxMs = 1_000

const letGoEvents = ['pointerup', 'pointercancel', 'keyup']

/**
 * Whether a pointer or a key is down; null before the first event. `:active` alone is not enough: phones show a tap as
 * active for a while after the finger has been lifted.
 */
let isHeld: boolean | null = null
const note = ({ type }: Event) => {
  isHeld = !letGoEvents.includes(type)
}
for (const name of ['pointerdown', 'keydown', ...letGoEvents]) addEventListener(name, note, { capture: true })

/**
 * Resolves when nothing is pressed down. An element that is replaced between the press and the release gets no click.
 */
export function whenLetGo(): Promise<void> | void {
  if (isHeld !== false && document.body.querySelector(':active')) return letGo()
}

/** Resolves when the response to a press has been painted. Work that starts with the press would delay that paint. */
export async function whenAnswered(): Promise<void> {
  if (isHeld) await letGo()
  await whenPainted()
}

/** Resolves when the current state has been painted. */
export async function whenPainted(): Promise<void> {
  // Pages in the background get no animation frames, and a slow phone may take long for one.
  await Promise.race([new Promise(requestAnimationFrame), wait(800)])
  await wait()
}

function letGo(): Promise<void> {
  return new Promise((resolve) => {
    // The click is dispatched in the same task, so wait for the next one.
    const end = () => setTimeout(resolve)
    for (const name of letGoEvents) addEventListener(name, end, { once: true, capture: true })
    setTimeout(resolve, heldMaxMs)
  })
}

const wait = (ms?: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
