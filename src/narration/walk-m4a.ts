import { type FileWindow, lettersAt, viewOf } from './file-window'
import { type Box, boxesIn, findBox } from './mp4-box'
import { readSampleTable } from './mp4-samples'
import type { WalkedAudio, WalkProblem } from './walked-audio'

/**
 * Walks the boxes of an M4A (ISO 14496-12) and the table of its samples. The duration is the sum of the
 * samples of its one audio track. Answers a problem where there is no audio, where there is video, where
 * the sound is not AAC, or where samples lie past the end of the file.
 */
export async function walkM4a(file: FileWindow): Promise<WalkedAudio | WalkProblem> {
  const top = await boxesIn(file, { at: 0, end: file.sizeBytes })
  if (!top.boxes.some(({ name }) => name === 'ftyp')) return { problem: 'it is no MP4' }
  const movie = top.boxes.find(({ name }) => name === 'moov')
  if (!movie) {
    return { problem: top.isBroken ? 'it is cut off before its index' : 'it has no index (moov)' }
  }
  const tracks = (await boxesIn(file, movie)).boxes.filter(({ name }) => name === 'trak')
  const media = await Promise.all(tracks.slice(0, 16).map((track) => readTrack(file, track)))
  if (media.some((each) => each?.kind === 'vide')) return { problem: 'it holds video' }
  const sound = media.find((each) => each?.kind === 'soun')
  if (!sound) return { problem: 'it holds no sound' }
  if (top.boxes.some(({ name }) => name === 'moof'))
    return { problem: 'it is in fragments that do not say how long they are' }
  if (sound.format !== 'mp4a') {
    return {
      problem: `its sound is in a format that browsers do not play (${sound.format.replace(/[^ -~]/g, '?')})`,
    }
  }
  const table = await readSampleTable(file, sound.sampleTable)
  if (!table || table.duration === 0 || sound.timescale === 0) return { problem: 'it holds no sound' }
  const durationSeconds = table.duration / sound.timescale
  const heldBytes = top.boxes.reduce((sum, box) => (box.name === 'mdat' ? sum + box.end - box.at : sum), 0)
  if (top.isBroken || table.lastChunkAt >= file.sizeBytes || table.sizeBytes > heldBytes) {
    const heldSeconds = durationSeconds * Math.min(1, heldBytes / Math.max(1, table.sizeBytes))
    return { problem: 'it is cut off', heldSeconds, promisedSeconds: durationSeconds }
  }
  return {
    extension: 'm4a',
    durationSeconds,
    sampleRateHz: sound.sampleRateHz,
    channels: sound.channels,
    warnings: [],
  }
}

type Track = {
  kind: string
  format: string
  timescale: number
  sampleTable: Box
  sampleRateHz: number
  channels: number
}

async function readTrack(file: FileWindow, track: Box): Promise<Track | null> {
  const media = await findBox(file, track, 'mdia')
  const header = media && (await findBox(file, media, 'mdhd'))
  const handler = media && (await findBox(file, media, 'hdlr'))
  if (!media || !header || !handler) return null
  const kind = lettersAt((await file.read(handler.at, 12)).slice(), 8)
  const timescale = await readTimescale(file, header)
  const information = await findBox(file, media, 'minf')
  const sampleTable = information && (await findBox(file, information, 'stbl'))
  const description = sampleTable && (await findBox(file, sampleTable, 'stsd'))
  if (!sampleTable || !description)
    return { kind, format: '', timescale, sampleTable: track, sampleRateHz: 0, channels: 0 }
  const entry = await file.read(description.at, 44)
  if (entry.byteLength < 44) return null
  const view = viewOf(entry)
  return {
    kind,
    format: lettersAt(entry, 12),
    timescale,
    sampleTable,
    channels: view.getUint16(32),
    sampleRateHz: view.getUint16(40) || timescale,
  }
}

/** Ticks a second; the header has longer moments before it in its version 1. */
async function readTimescale(file: FileWindow, header: Box): Promise<number> {
  const bytes = await file.read(header.at, 24)
  if (bytes.byteLength < 24) return 0
  return viewOf(bytes).getUint32(bytes[0] === 1 ? 20 : 12)
}
