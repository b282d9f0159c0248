/** Zero crossings of the sinc function on each side. */
const reach = 24

/**
 * Resamples audio with a windowed sinc (Hann) around each new sample, cut off at the lower of the two Nyquist limits.
 * The audio, such as a chunk, is in memory as a whole. Its duration is unchanged.
 */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return samples
  const ratio = fromHz / toHz
  const cutoff = Math.min(1, toHz / fromHz)
  const width = reach / cutoff
  const out = new Float32Array(Math.round(samples.length / ratio))
  for (let at = 0; at < out.length; at += 1) {
    const center = at * ratio
    const first = Math.max(0, Math.ceil(center - width))
    const last = Math.min(samples.length - 1, Math.floor(center + width))
    let sum = 0
    for (let index = first; index <= last; index += 1) {
      const distance = index - center
      const phase = Math.PI * distance * cutoff
      const sinc = phase === 0 ? 1 : Math.sin(phase) / phase
      sum += (samples[index] ?? 0) * sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / width))
    }
    out[at] = sum * cutoff
  }
  return out
}
