import { asciiAt, type FileWindow, viewOf } from '#src/storage/file-window'
import { readSoundConfig, type SoundConfig } from './aac-config'
import { type Box, boxesIn, findBox } from './mp4-box'
import { readSampleTable } from './mp4-samples'
import { missingWords, type WalkedAudio, type WalkProblem } from './walked-audio'

/**
 * Walks the boxes of an M4A (ISO 14496-12) and its sample table. The duration is that of the samples of its one audio
 * track, as far as they are in the file. Returns a problem if there is no audio, if there is video, or if no browser
 * plays the audio.
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
  const format = judgeSound(sound)
  if ('problem' in format) return format
  const table = await readSampleTable(file, sound.sampleTable)
  if (!table || table.duration === 0 || sound.timescale === 0) return { problem: 'it holds no sound' }
  const durationSeconds = table.duration / sound.timescale
  const heldBytes = top.boxes.reduce((sum, box) => (box.name === 'mdat' ? sum + box.end - box.at : sum), 0)
  const heldSeconds = durationSeconds * Math.min(1, heldBytes / Math.max(1, table.sizeBytes))
  if (heldSeconds * sound.timescale < 1) return { problem: 'it is cut off before its sound' }
  const isCutOff = table.sizeBytes > heldBytes
  if (!isCutOff && table.lastChunkAt >= file.sizeBytes)
    return { problem: 'its index points to what is not in it' }
  return {
    extension: 'm4a',
    durationSeconds: heldSeconds,
    sampleRateHz: sound.sampleRateHz,
    channels: sound.channels,
    warnings: [...format.warnings, ...(isCutOff ? [missingWords(heldSeconds, durationSeconds)] : [])],
  }
}

/** The object types of MPEG-4 audio that Chromium 156 plays (tested): Main, LC, LTP, and both versions of HE-AAC. */
const playedObjectTypes = [1, 2, 4, 5, 29]
const mpeg4 = 0x40
const mpeg2Aac = [0x66, 0x67, 0x68]
const mp3 = [0x69, 0x6b]
const named: Record<string, string> = {
  alac: 'ALAC',
  'ac-3': 'Dolby Digital',
  'ec-3': 'Dolby Digital',
}
const namedObjects: Record<number, string> = { 23: 'AAC-LD', 39: 'AAC-ELD', 42: 'xHE-AAC' }

/** Checks whether browsers play a track's format; a format that only some of them play gets a warning. */
function judgeSound({ format, config }: Track): { warnings: string[] } | WalkProblem {
  const unplayed = (name: string) => ({
    problem: `its sound is in a format that browsers do not play (${name.replace(/[^ -~]/g, '?')})`,
  })
  if (format === 'fLaC' || format === 'Opus')
    return {
      warnings: [
        `Its sound is ${format === 'fLaC' ? 'FLAC' : format}, which not every browser plays in an M4A. Export it as MP3 to be sure.`,
      ],
    }
  if (format !== 'mp4a') return unplayed(named[format] ?? format)
  if (!config) return { problem: 'it does not say how its sound is encoded' }
  if ([...mpeg2Aac, ...mp3].includes(config.codec)) return { warnings: [] }
  if (config.codec !== mpeg4) return unplayed(`type ${config.codec}`)
  const { objectType } = config
  if (objectType === null) return { problem: 'it does not say how its sound is encoded' }
  if (!playedObjectTypes.includes(objectType))
    return unplayed(namedObjects[objectType] ?? `AAC of type ${objectType}`)
  const isHighEfficiency = objectType === 5 || objectType === 29
  return {
    warnings: isHighEfficiency
      ? [
          'Its sound is HE-AAC, which not every browser plays, or plays without its high tones. Export it as AAC-LC or MP3 to be sure.',
        ]
      : [],
  }
}

type Track = {
  kind: string
  format: string
  timescale: number
  sampleTable: Box
  sampleRateHz: number
  channels: number
  /** Only for `mp4a`. */
  config: SoundConfig | null
}

async function readTrack(file: FileWindow, track: Box): Promise<Track | null> {
  const media = await findBox(file, track, 'mdia')
  const header = media && (await findBox(file, media, 'mdhd'))
  const handler = media && (await findBox(file, media, 'hdlr'))
  if (!media || !header || !handler) return null
  const kind = asciiAt((await file.read(handler.at, 12)).slice(), 8)
  const timescale = await readTimescale(file, header)
  const information = await findBox(file, media, 'minf')
  const sampleTable = information && (await findBox(file, information, 'stbl'))
  const description = sampleTable && (await findBox(file, sampleTable, 'stsd'))
  if (!sampleTable || !description)
    return { kind, format: '', timescale, sampleTable: track, sampleRateHz: 0, channels: 0, config: null }
  const entry = await file.read(description.at, 44)
  if (entry.byteLength < 44) return null
  const view = viewOf(entry)
  return {
    kind,
    format: asciiAt(entry, 12),
    timescale,
    sampleTable,
    channels: view.getUint16(32),
    sampleRateHz: view.getUint16(40) || timescale,
    config: await readConfig(file, description, view.getUint16(24)),
  }
}

/**
 * Reads the `esds` of the first sample entry. QuickTime's versions of the entry have more fields before their boxes.
 */
async function readConfig(file: FileWindow, description: Box, version: number): Promise<SoundConfig | null> {
  const [entry] = (await boxesIn(file, { at: description.at + 8, end: description.end })).boxes
  if (!entry) return null
  const headBytes = 28 + (version === 1 ? 16 : version === 2 ? 36 : 0)
  const within = { ...entry, at: entry.at + headBytes }
  const wave = await findBox(file, within, 'wave')
  const box = (await findBox(file, within, 'esds')) ?? (wave && (await findBox(file, wave, 'esds')))
  return box && readSoundConfig((await file.read(box.at, box.end - box.at)).slice())
}

/** Ticks per second. A header of version 1 has longer times before this field. */
async function readTimescale(file: FileWindow, header: Box): Promise<number> {
  const bytes = await file.read(header.at, 24)
  if (bytes.byteLength < 24) return 0
  return viewOf(bytes).getUint32(bytes[0] === 1 ? 20 : 12)
}
