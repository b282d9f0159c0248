/** Samples below -56 dBFS are silence. A hundredth of a second of it is retained at both ends. */
const silence = 0.0016
const paddingSeconds = 0.01
const fadeSeconds = 0.004

/**
 * Removes the silence at both ends, which differs from voice to voice: the plan sets the pauses. A few milliseconds are
 * faded, so that joins do not click. `from` is the first remaining sample.
 */
export function trimSilence(
  samples: Float32Array,
  sampleRateHz: number,
): { samples: Float32Array; from: number } {
  const padding = Math.round(paddingSeconds * sampleRateHz)
  let first = 0
  let last = samples.length
  while (first < last && Math.abs(samples[first] ?? 0) < silence) first += 1
  while (last > first && Math.abs(samples[last - 1] ?? 0) < silence) last -= 1
  const from = Math.max(0, first - padding)
  return {
    samples: fadeEnds(samples.slice(from, last + padding), Math.round(fadeSeconds * sampleRateHz)),
    from,
  }
}

function fadeEnds(samples: Float32Array, length: number): Float32Array {
  const last = samples.length - 1
  for (let at = 0; at < Math.min(length, samples.length); at += 1) {
    samples[at] = (samples[at] ?? 0) * (at / length)
    samples[last - at] = (samples[last - at] ?? 0) * (at / length)
  }
  return samples
}
