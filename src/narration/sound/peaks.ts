/** How many bars a waveform has: enough for a wide screen, a few kilobytes as JSON. */
export const peaksCount = 800

/**
 * The loudest sample of each of 800 equal parts, 0 to 1, two digits, of sound whose length is known before.
 * What a waveform is drawn from.
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
