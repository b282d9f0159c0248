import { MPEGDecoder } from 'mpg123-decoder'

/** Decodes an MP3 as a listener receives it, with an independent decoder. */
export async function decodeForTest(
  bytes: Uint8Array,
): Promise<{ samples: Float32Array; sampleRate: number }> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const { channelData, sampleRate } = decoder.decode(bytes)
  decoder.free()
  return { samples: channelData[0] ?? new Float32Array(), sampleRate }
}

export type Stretch = { fromSeconds: number; toSeconds: number }

/** Finds the silences of at least `secondsMin` in steps of 2.5 ms. No sample in them is louder than `level`. */
export function silencesOf(
  samples: Float32Array,
  sampleRate: number,
  { secondsMin, level }: { secondsMin: number; level: number },
): Stretch[] {
  const step = Math.round(sampleRate / 400)
  const found: Stretch[] = []
  let from = 0
  for (let at = 0; at <= samples.length; at += step) {
    const peak = samples.subarray(at, at + step).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    if (peak < level && at + step < samples.length) continue
    if ((at - from) / sampleRate >= secondsMin)
      found.push({ fromSeconds: from / sampleRate, toSeconds: at / sampleRate })
    from = at + step
  }
  return found
}
