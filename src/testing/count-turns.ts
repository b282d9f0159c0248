/** Runs the work, and counts how often the event loop did other work meanwhile. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let turns = 0
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}
