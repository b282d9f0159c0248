/** The rail's figures for a fraction of the text, 0 to 1: as text, and as a distance in its 300 units. */
export function railFigures(fraction: number, readingMinutes: number) {
  const shown = Math.min(1, Math.max(0, fraction))
  return {
    percent: `${Math.round(shown * 100)} %`,
    timeLeft: `${Math.ceil(readingMinutes * (1 - shown))} min left`,
    y: Math.round(shown * 300),
  }
}
