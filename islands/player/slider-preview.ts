/** After this long without a move the slider counts as let go, where no hand or key says so. */
const restMs = 400

/**
 * The slider while a hand moves it: the place is shown, and heard once it is let go. `commit` goes to the
 * last place that was shown.
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
    /** Let go. A key or a press that moved nothing commits nothing. */
    end(seconds: number): void {
      if (rest !== null) commit(seconds)
    },
    drop,
  }
}
