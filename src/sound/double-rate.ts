/**
 * A step of streamed processing: `process` returns the output samples for some input samples, perhaps delayed; `end`
 * returns the last ones.
 */
export type Stage = { process(samples: Float32Array): Float32Array; end(): Float32Array }

/** Filter taps on one side. eSpeak has little above 9 kHz, and the mirror images of that are 80 dB down. */
const reach = 24

/**
 * Doubles the sample rate. The input samples are unchanged; those between them are interpolated with a windowed sinc
 * (Kaiser, beta 8). The duration is unchanged, to the sample.
 */
export function doubleRate(): Stage {
  const taps = betweenTaps()
  let held = new Float32Array(reach)
  const run = (samples: Float32Array): Float32Array => {
    const all = new Float32Array(held.length + samples.length)
    all.set(held)
    all.set(samples, held.length)
    const count = Math.max(0, all.length - 2 * reach)
    const out = new Float32Array(2 * count)
    for (let at = 0; at < count; at += 1) {
      let between = 0
      // The sinc is symmetric, which halves the multiplications.
      for (let tap = 0; tap < reach; tap += 1) {
        between += (taps[tap] ?? 0) * ((all[at + tap + 1] ?? 0) + (all[at + 2 * reach - tap] ?? 0))
      }
      out[2 * at] = all[at + reach] ?? 0
      out[2 * at + 1] = between
    }
    held = all.slice(count)
    return out
  }
  return { process: run, end: () => run(new Float32Array(reach)) }
}

/** The taps of the sinc half-way between two samples, from `reach` before to `reach` after. */
function betweenTaps(): Float64Array {
  const taps = new Float64Array(2 * reach)
  for (let tap = 0; tap < 2 * reach; tap += 1) {
    const distance = tap - reach + 0.5
    taps[tap] = (Math.sin(Math.PI * distance) / (Math.PI * distance)) * kaiser(distance / reach, 8)
  }
  const sum = taps.reduce((total, each) => total + each, 0)
  return taps.map((each) => each / sum)
}

function kaiser(position: number, beta: number): number {
  return bessel0(beta * Math.sqrt(Math.max(0, 1 - position * position))) / bessel0(beta)
}

function bessel0(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; k < 40; k += 1) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}
