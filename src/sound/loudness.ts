/** Measures the loudness of streamed mono audio: ITU-R BS.1770-4, integrated, with both gates. */
export type LoudnessMeter = { add(samples: Float32Array): void; integratedLufs(): number }

type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number }

/** Creates a meter. It needs memory for ten numbers per second of audio. Silence measures -Infinity. */
export function loudnessMeter(sampleRateHz: number): LoudnessMeter {
  const shelving = runBiquad(shelfFilter(sampleRateHz))
  const highPass = runBiquad(highPassOf(sampleRateHz))
  const hopSamples = Math.round(sampleRateHz * 0.1)
  /** The sums of squares for each tenth of a second; a block is four of them. */
  const hops: number[] = []
  let sum = 0
  let inHop = 0
  return {
    add(samples) {
      // An indexed loop, since for…of over a typed array takes five times as long, and this runs for every sample.
      for (let at = 0; at < samples.length; at += 1) {
        const weighted = highPass(shelving(samples[at] ?? 0))
        sum += weighted * weighted
        inHop += 1
        if (inHop < hopSamples) continue
        hops.push(sum)
        sum = 0
        inHop = 0
      }
    },
    integratedLufs: () => gated(hops, 4 * hopSamples),
  }
}

/** The mean of the blocks above the absolute gate, then of those above the relative gate. */
function gated(hops: readonly number[], blockSamples: number): number {
  const blocks: number[] = []
  for (let at = 3; at < hops.length; at += 1) {
    const energy = (hops[at] ?? 0) + (hops[at - 1] ?? 0) + (hops[at - 2] ?? 0) + (hops[at - 3] ?? 0)
    blocks.push(energy / blockSamples)
  }
  const heard = blocks.filter((power) => toLufs(power) > -70)
  const gate = toLufs(mean(heard)) - 10
  return toLufs(mean(heard.filter((power) => toLufs(power) > gate)))
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}

/** The two filters of the standard's K weighting, for any sample rate (derived as in libebur128). */
function shelfFilter(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * 1_681.974450955533) / sampleRateHz)
  const q = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const middle = high ** 0.4996667741545416
  const norm = 1 + k / q + k * k
  return {
    b0: (high + (middle * k) / q + k * k) / norm,
    b1: (2 * (k * k - high)) / norm,
    b2: (high - (middle * k) / q + k * k) / norm,
    a1: (2 * (k * k - 1)) / norm,
    a2: (1 - k / q + k * k) / norm,
  }
}

function highPassOf(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRateHz)
  const q = 0.5003270373238773
  const norm = 1 + k / q + k * k
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / norm, a2: (1 - k / q + k * k) / norm }
}

function runBiquad({ b0, b1, b2, a1, a2 }: Biquad): (sample: number) => number {
  let z1 = 0
  let z2 = 0
  return (sample) => {
    const out = b0 * sample + z1
    z1 = b1 * sample - a1 * out + z2
    z2 = b2 * sample - a2 * out
    return out
  }
}
