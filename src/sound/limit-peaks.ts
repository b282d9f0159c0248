import type { Stage } from './double-rate'

const lookSeconds = 0.004
const releaseSeconds = 0.06

/**
 * Multiplies by `gain` and limits every sample to `ceiling` (both linear). The gain decreases smoothly before a peak
 * arrives and recovers slowly, so that nothing is clipped. The output is as long as the input.
 */
export function limitPeaks(sampleRateHz: number, gain: number, ceiling: number): Stage {
  const look = Math.round(lookSeconds * sampleRateHz)
  const release = Math.exp(-1 / (releaseSeconds * sampleRateHz))
  /** The samples that wait for their gain, and the gains that are averaged for it. */
  const waiting = new Float32Array(look)
  const recent = new Float64Array(look).fill(1)
  let recentSum = look
  let at = 0
  let envelope = 1
  const lowest = slidingMinimum(look)
  const run = (samples: Float32Array): Float32Array => {
    const out = new Float32Array(samples.length)
    for (let index = 0; index < samples.length; index += 1) {
      const sample = (samples[index] ?? 0) * gain
      const wanted = lowest(Math.min(1, ceiling / Math.max(1e-9, Math.abs(sample))))
      envelope = Math.min(wanted, 1 - (1 - envelope) * release)
      recentSum += envelope - (recent[at] ?? 1)
      recent[at] = envelope
      out[index] = (waiting[at] ?? 0) * Math.min(1, recentSum / look)
      waiting[at] = sample
      at = (at + 1) % look
    }
    return out
  }
  let skipped = 0
  const skip = (samples: Float32Array): Float32Array => {
    const dropped = Math.min(look - skipped, samples.length)
    skipped += dropped
    return samples.subarray(dropped)
  }
  return {
    process: (samples) => skip(run(samples)),
    end: () => skip(run(new Float32Array(look))),
  }
}

/** The minimum of the last `length + 1` values, in constant time per value (by a monotonic queue). */
function slidingMinimum(length: number): (value: number) => number {
  const size = length + 2
  const values = new Float64Array(size)
  const places = new Float64Array(size)
  let head = 0
  let count = 0
  let now = 0
  return (value) => {
    while (count > 0 && (values[(head + count - 1) % size] ?? 0) >= value) count -= 1
    values[(head + count) % size] = value
    places[(head + count) % size] = now
    count += 1
    if ((places[head] ?? 0) < now - length) {
      head = (head + 1) % size
      count -= 1
    }
    now += 1
    return values[head] ?? value
  }
}
