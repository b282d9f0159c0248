/** After this long without a move the slider counts as released, where no pointer or key event says so. */
const restMs = 400

/**
 * The slider while it is dragged: the position is shown, and sought at the release. `commit` seeks to the last shown
 * position.
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
    /** Released. A key or a press that moved nothing commits nothing. */
    end(seconds: number): void {
      if (rest !== null) commit(seconds)
    },
    drop,
  }
}
