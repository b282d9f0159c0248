/** Who holds on for longer than this, in milliseconds, presses in vain. */
const heldMaxMs = 1_000

const letGoEvents = ['pointerup', 'pointercancel', 'keyup']

/**
 * Whether a pointer or a key is down; null before the first event. `:active` alone does not say it: phones show a tap
 * as active for a while after the finger has gone.
 */
let isHeld: boolean | null = null
const note = ({ type }: Event) => {
  isHeld = !letGoEvents.includes(type)
}
for (const name of ['pointerdown', 'keydown', ...letGoEvents]) addEventListener(name, note, { capture: true })

/** Resolves when nothing is pressed down: what is replaced between the two halves of a press gets no click. */
export function whenLetGo(): Promise<void> | void {
  if (isHeld !== false && document.body.querySelector(':active')) return letGo()
}

/** Resolves when a press has been answered by a paint, which work that begins with it would delay. */
export async function whenAnswered(): Promise<void> {
  if (isHeld) await letGo()
  await whenPainted()
}

/** Resolves when the present state has been painted. */
export async function whenPainted(): Promise<void> {
  // Pages in the background have no frames; a slow phone may take long for one.
  await Promise.race([new Promise(requestAnimationFrame), wait(800)])
  await wait()
}

function letGo(): Promise<void> {
  return new Promise((resolve) => {
    // The click follows in the same task.
    const end = () => setTimeout(resolve)
    for (const name of letGoEvents) addEventListener(name, end, { once: true, capture: true })
    setTimeout(resolve, heldMaxMs)
  })
}

const wait = (ms?: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
