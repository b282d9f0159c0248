/** Zero crossings of the sinc on each side. */
const reach = 24

/**
 * Resamples audio: a windowed sinc (Hann) around each new sample, cut at the lower of both Nyquist limits. For audio
 * held in memory as a whole, such as a chunk; its duration is unchanged.
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
