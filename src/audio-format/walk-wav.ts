import { asciiAt, type FileWindow, viewOf } from '#src/storage/file-window'
import { missingWords, type WalkedAudio, type WalkProblem } from './walked-audio'

type Format = {
  tag: number
  channels: number
  sampleRateHz: number
  bitsPerSample: number
  blockBytes: number
}

/** Formats that browsers play: integers of 8 to 32 bits, floating point of 32, A-law and µ-law (tested). */
const pcm = 1
const float = 3
const telephone = [6, 7]
/** With this code, the real format is 24 bytes further on. */
const extensible = 0xfffe
const unknownSize = 0xffffffff
/** Recorders write a dozen chunks; a file of nothing but chunk headers is an attack. */
const chunksMax = 1_000

/**
 * Walks the chunks of a WAV (RIFF) without reading its samples. The duration is that of the data chunk. A truncated
 * file is accepted with a warning. Returns a problem if it is not a WAV, or is compressed in a way that browsers do not
 * play.
 */
export async function walkWav(file: FileWindow): Promise<WalkedAudio | WalkProblem> {
  const head = await file.read(0, 12)
  if (asciiAt(head, 0) === 'RF64') return { problem: 'it is an RF64, made for more than 4 GB' }
  if (asciiAt(head, 0) !== 'RIFF' || asciiAt(head, 8) !== 'WAVE') return { problem: 'it is no WAV' }
  let format: Format | null = null
  let at = 12
  for (let chunk = 0; chunk < chunksMax && at + 8 <= file.sizeBytes; chunk += 1) {
    const bytes = await file.read(at, 8)
    const name = asciiAt(bytes, 0)
    const sizeBytes = viewOf(bytes).getUint32(4, true)
    if (name === 'fmt ') format = readFormat(await file.read(at + 8, Math.min(sizeBytes, 40)))
    if (name === 'data')
      return format
        ? judge(format, sizeBytes, file.sizeBytes - at - 8)
        : { problem: 'it has no format before its samples' }
    at += 8 + sizeBytes + (sizeBytes & 1)
  }
  return { problem: at > file.sizeBytes ? 'it is cut off before its samples' : 'it holds no samples' }
}

function readFormat(bytes: Uint8Array): Format | null {
  if (bytes.byteLength < 16) return null
  const view = viewOf(bytes)
  const tag = view.getUint16(0, true)
  return {
    tag: tag === extensible && bytes.byteLength >= 26 ? view.getUint16(24, true) : tag,
    channels: view.getUint16(2, true),
    sampleRateHz: view.getUint32(4, true),
    blockBytes: view.getUint16(12, true),
    bitsPerSample: view.getUint16(14, true),
  }
}

function judge(format: Format, statedBytes: number, restBytes: number): WalkedAudio | WalkProblem {
  const { tag, channels, sampleRateHz, bitsPerSample, blockBytes } = format
  const isPlayable =
    (tag === pcm && [8, 16, 24, 32].includes(bitsPerSample)) ||
    (tag === float && bitsPerSample === 32) ||
    (telephone.includes(tag) && bitsPerSample === 8)
  if (!isPlayable) return { problem: 'its samples are in a format that browsers do not play' }
  if (channels < 1 || channels > 8 || sampleRateHz < 8_000 || sampleRateHz > 192_000)
    return { problem: 'its format is not possible' }
  if (blockBytes !== (channels * bitsPerSample) / 8) return { problem: 'its format is not possible' }
  const seconds = (bytes: number) => Math.floor(bytes / blockBytes) / sampleRateHz
  // A program that wrote to a pipe could not seek back to write the size.
  const isSizeKnown = statedBytes !== unknownSize && statedBytes !== 0
  const durationSeconds = seconds(isSizeKnown ? Math.min(statedBytes, restBytes) : restBytes)
  if (durationSeconds === 0) return { problem: 'it holds no sound' }
  const warnings: string[] = []
  if (!isSizeKnown)
    warnings.push('It does not say how long it is: browsers may show a wrong length. Export it again.')
  else if (statedBytes > restBytes) warnings.push(missingWords(durationSeconds, seconds(statedBytes)))
  return { extension: 'wav', durationSeconds, sampleRateHz, channels, warnings }
}
