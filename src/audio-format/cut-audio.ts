import type { AudioExtension } from '#src/narration/rules'
import { asciiAt, type FileWindow, viewOf, windowBytes } from '#src/storage/file-window'
import { cutM4a } from './cut-m4a'
import { frameHeaderBytes, readFrame, readIndex } from './mp3-frame'
import { findFirstFrame } from './walk-mp3'

/**
 * Returns the first seconds of stored audio as a file of the same type, cut after the last frame that begins in them.
 * Null for audio without frames, which uploads refuse. Only the cut part is in memory.
 */
export function cutAudio(
  file: FileWindow,
  extension: AudioExtension,
  seconds: number,
): Promise<Uint8Array | null> {
  return { mp3: cutMp3, wav: cutWav, m4a: cutM4a }[extension](file, seconds)
}

/**
 * Copies frames from the first one with sound on. The index frame before it states the length of the whole file, so it
 * is left out.
 */
async function cutMp3(file: FileWindow, seconds: number): Promise<Uint8Array | null> {
  const first = await findFirstFrame(file)
  if (!first) return null
  const { frame } = first
  const index = readIndex(await file.read(first.at, frame.sizeBytes), frame)
  const from = index ? first.at + frame.sizeBytes : first.at
  const framesMax = Math.ceil((seconds * frame.sampleRateHz) / frame.samples)
  let end = from
  for (let frames = 0; frames < framesMax; frames += 1) {
    const next = readFrame(await file.read(end, frameHeaderBytes), 0)
    if (next?.signature !== frame.signature) break
    end = Math.min(file.sizeBytes, end + next.sizeBytes)
  }
  return readPart(file, from, end)
}

/** Cuts a WAV. Its format chunk states the bytes per second. */
async function cutWav(file: FileWindow, seconds: number): Promise<Uint8Array | null> {
  let bytesASecond = 0
  let blockBytes = 1
  for (let at = 12; at + 8 <= file.sizeBytes; ) {
    const head = (await file.read(at, 24)).slice()
    const name = asciiAt(head, 0)
    const sizeBytes = viewOf(head).getUint32(4, true)
    if (name === 'fmt ') {
      bytesASecond = viewOf(head).getUint32(16, true)
      blockBytes = Math.max(1, viewOf(head).getUint16(20, true))
    }
    if (name === 'data') {
      const wanted = Math.ceil((seconds * bytesASecond) / blockBytes) * blockBytes
      return cutData(file, at, Math.min(wanted, file.sizeBytes - at - 8, sizeBytes || wanted))
    }
    at += 8 + sizeBytes + (sizeBytes & 1)
  }
  return null
}

/**
 * Copies everything before the samples and the first `dataBytes` of them, and corrects the two lengths that the file
 * states.
 */
async function cutData(file: FileWindow, at: number, dataBytes: number): Promise<Uint8Array> {
  const cut = await readPart(file, 0, at + 8 + dataBytes)
  viewOf(cut).setUint32(4, cut.byteLength - 8, true)
  viewOf(cut).setUint32(at + 4, dataBytes, true)
  return cut
}

async function readPart(file: FileWindow, from: number, end: number): Promise<Uint8Array> {
  const part = new Uint8Array(end - from)
  for (let at = from; at < end; ) {
    const bytes = await file.read(at, Math.min(windowBytes, end - at))
    if (bytes.byteLength === 0) break
    part.set(bytes, at - from)
    at += bytes.byteLength
  }
  return part
}
