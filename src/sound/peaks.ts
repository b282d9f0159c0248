/** The number of bars of a waveform: enough for a wide screen, and a few kilobytes as JSON. */
const peaksCount = 800

/**
 * Measures the data of a waveform: the peak of each of 800 equal parts of audio of known length, 0 to 1, with two
 * digits.
 */
export function peakMeter(totalSamples: number) {
  const peaks = new Float32Array(peaksCount)
  let at = 0
  return {
    add(samples: Float32Array): void {
      for (let index = 0; index < samples.length; index += 1) {
        const bar = Math.min(peaksCount - 1, Math.floor((at * peaksCount) / Math.max(1, totalSamples)))
        const level = Math.abs(samples[index] ?? 0)
        if (level > (peaks[bar] ?? 0)) peaks[bar] = level
        at += 1
      }
    },
    peaks: (): number[] => Array.from(peaks, (peak) => Math.round(peak * 100) / 100),
  }
}
