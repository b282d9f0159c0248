/** Who holds on for longer than this, in milliseconds, presses in vain. */
const heldMaxMs = 1_000

/** Resolves when nothing is pressed down: what is replaced between the two halves of a press gets no click. */
export function whenLetGo(): Promise<void> | void {
  if (!document.body.querySelector(':active')) return
  return new Promise((resolve) => {
    // The click follows in the same task.
    const letGo = () => setTimeout(resolve)
    for (const name of ['pointerup', 'pointercancel', 'keyup'])
      addEventListener(name, letGo, { once: true, capture: true })
    setTimeout(resolve, heldMaxMs)
  })
}
