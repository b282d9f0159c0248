/**
 * After this many milliseconds without a move the slider counts as released, in case no pointer or key event says so.
 */
const restMs = 400

/**
 * Delays the seek of a slider until its release; until then the position is only shown. `commit` seeks to the last one
 * shown.
 */
export function createSliderPreview(commit: (seconds: number) => void) {
  let rest: Timer | null = null

  function drop(): void {
    if (rest !== null) clearTimeout(rest)
    rest = null
  }

  return {
    isOn: () => rest !== null,
    move(seconds: number): void {
      drop()
      rest = setTimeout(() => commit(seconds), restMs)
    },
    /** Call it at the release. A key or press that has not moved the slider commits nothing. */
    end(seconds: number): void {
      if (rest !== null) commit(seconds)
    },
    drop,
  }
}
