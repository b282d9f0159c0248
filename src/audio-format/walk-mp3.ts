import { asciiAt, type FileWindow, viewOf, windowBytes } from '#src/storage/file-window'
import { frameHeaderBytes, type Mp3Frame, type Mp3Index, readFrame, readIndex } from './mp3-frame'
import { missingWords, type WalkedAudio, type WalkProblem } from './walked-audio'

/**
 * Encoders leave few bytes between a tag and the frames. If more than this has to be searched, the file is not an MP3.
 */
const leadingJunkBytesMax = 64 * 1024
/** Share of unreadable bytes that is tolerated, as after a bad transfer. */
const junkShareMax = 0.01
/** This many frames in a row are no coincidence: random bytes have three in 64 KB once in 10^10 files. */
const firstFrames = 3
/** Maximum tags and gaps between frames: joined or damaged files have a few dozen. */
const gapsMax = 1_000
const leadingTagsMax = 16

/**
 * Walks every frame of an MP3 (MPEG 1, 2 and 2.5, layer III), skipping tags. Memory is one window; time is that of
 * reading the file. The duration is that of the samples, without the encoder's padding at both ends. A file shorter
 * than its own index states is accepted with a warning. Returns a problem if it is not an MP3 or is damaged.
 */
export async function walkMp3(file: FileWindow): Promise<WalkedAudio | WalkProblem> {
  const first = await findFirstFrame(file)
  if (!first) return { problem: 'no MP3 frames were found in it' }
  const index = readIndex(await file.read(first.at, first.frame.sizeBytes), first.frame)
  const walk = await walkFrames(file, index ? first.at + first.frame.sizeBytes : first.at, first.frame)
  if (walk.gaps > gapsMax || walk.junkBytes > 16 * 1024 + file.sizeBytes * junkShareMax) {
    return { problem: 'too much of it cannot be read: it is damaged' }
  }
  const { samples, sampleRateHz, channels } = first.frame
  const seconds = (frames: number) => (frames * samples) / sampleRateHz
  const promised = index?.frames ?? null
  if (walk.frames === 0) return { problem: 'it holds no sound' }
  const isCutOff = promised !== null && walk.frames < promised - Math.max(2, promised * 0.001)
  return {
    extension: 'mp3',
    durationSeconds: durationOf(walk.frames, first.frame, index),
    sampleRateHz,
    channels,
    warnings: isCutOff ? [missingWords(seconds(walk.frames), seconds(promised))] : warningsOf(walk, promised),
  }
}

function durationOf(frames: number, { samples, sampleRateHz }: Mp3Frame, index: Mp3Index | null): number {
  const added = (index?.delaySamples ?? 0) + (index?.paddingSamples ?? 0)
  return Math.max(0, frames * samples - added) / sampleRateHz
}

type Walk = { frames: number; gaps: number; junkBytes: number; isVariable: boolean; isBrokenOff: boolean }

function warningsOf(walk: Walk, promised: number | null): string[] {
  const warnings: string[] = []
  if (walk.isBrokenOff)
    warnings.push('It ends in the middle of a frame: it may have been cut off. Listen to its end.')
  if (promised === null && walk.isVariable)
    warnings.push(
      'Its bit rate varies and it has no index: seeking will be inexact. Export it with a constant bit rate.',
    )
  if (promised !== null && walk.frames > promised * 1.01 + 2)
    warnings.push(
      'It is longer than its own index says: browsers will show a wrong length. Export it again in one piece.',
    )
  return warnings
}

/**
 * Finds the first frame that two more of the same stream follow, after tags and a little junk; null if there is none.
 */
export async function findFirstFrame(file: FileWindow): Promise<{ at: number; frame: Mp3Frame } | null> {
  let from = 0
  for (let tags = 0; tags < leadingTagsMax; tags += 1) from += await tagBytesAt(file, from)
  const bytes = (await file.read(from, leadingJunkBytesMax)).slice()
  for (let at = 0; at + frameHeaderBytes <= bytes.byteLength; at += 1) {
    const frame = bytes[at] === 0xff ? readFrame(bytes, at) : null
    if (frame && (await hasFramesInARow(file, from + at, frame))) return { at: from + at, frame }
  }
  return null
}

async function hasFramesInARow(file: FileWindow, from: number, first: Mp3Frame): Promise<boolean> {
  let at = from
  for (let count = 0; count < firstFrames; count += 1) {
    const frame = readFrame(await file.read(at, frameHeaderBytes), 0)
    if (frame?.signature !== first.signature) return false
    at += frame.sizeBytes
  }
  return true
}

async function walkFrames(file: FileWindow, from: number, first: Mp3Frame): Promise<Walk> {
  const walk: Walk = { frames: 0, gaps: 0, junkBytes: 0, isVariable: false, isBrokenOff: false }
  let at = from
  while (at < file.sizeBytes && walk.gaps <= gapsMax) {
    const bytes = await file.read(at, windowBytes)
    if (bytes.byteLength === 0) break
    const walked = walkWindow(bytes, file.sizeBytes - at, first, walk)
    at += walked
    if (walked > 0) continue
    // There is no frame here: a tag is skipped, and other bytes are searched for the next frame.
    const tag = await tagBytesAt(file, at)
    const junk = tag > 0 ? 0 : nextFrameIn(await file.read(at, windowBytes), first)
    walk.gaps += 1
    walk.junkBytes += junk
    at += tag + junk
  }
  return walk
}

/**
 * Counts the frames that begin in a window; `bytesLeft` bytes of the file remain. Returns where they end, which may be
 * past the end of the window.
 */
function walkWindow(bytes: Uint8Array, bytesLeft: number, first: Mp3Frame, walk: Walk): number {
  let at = 0
  while (at + frameHeaderBytes <= bytes.byteLength) {
    const frame = readFrame(bytes, at)
    if (frame?.signature !== first.signature) return at
    if (at + frame.sizeBytes > bytesLeft) {
      walk.isBrokenOff = true
      return bytesLeft
    }
    walk.frames += 1
    if (frame.bitRateKbps !== first.bitRateKbps) walk.isVariable = true
    at += frame.sizeBytes
  }
  return at
}

/** The bytes before the next two frames in a row of the same stream, or before the end of the window. */
function nextFrameIn(bytes: Uint8Array, first: Mp3Frame): number {
  for (let at = 1; at + frameHeaderBytes <= bytes.byteLength; at += 1) {
    if (bytes[at] !== 0xff) continue
    const frame = readFrame(bytes, at)
    if (frame?.signature !== first.signature) continue
    const next = at + frame.sizeBytes
    if (next + frameHeaderBytes > bytes.byteLength) return at
    if (readFrame(bytes, next)?.signature === first.signature) return at
  }
  return Math.max(1, bytes.byteLength - frameHeaderBytes)
}

/** The length of the tag (ID3v2, ID3v1, APE, Lyrics3) that begins at `at`; 0 if none does. */
async function tagBytesAt(file: FileWindow, at: number): Promise<number> {
  const head = await file.read(at, 32)
  const rest = file.sizeBytes - at
  if (asciiAt(head, 0, 3) === 'ID3' && head.byteLength >= 10) {
    const [, , , , , flags = 0, s0 = 0, s1 = 0, s2 = 0, s3 = 0] = head
    const sizeBytes = ((s0 & 127) << 21) | ((s1 & 127) << 14) | ((s2 & 127) << 7) | (s3 & 127)
    return Math.min(rest, 10 + sizeBytes + (flags & 0x10 ? 10 : 0))
  }
  if (asciiAt(head, 0, 3) === 'TAG' && rest <= 128 + 227) return rest
  if (asciiAt(head, 0, 11) === 'LYRICSBEGIN') return rest
  if (asciiAt(head, 0, 8) === 'APETAGEX' && head.byteLength === 32) {
    return Math.min(rest, 32 + viewOf(head).getUint32(12, true))
  }
  return 0
}
