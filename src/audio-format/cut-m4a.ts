import { asciiAt, type FileWindow, viewOf, windowBytes } from '#src/storage/file-window'
import { type Box, boxesIn, findBox } from './mp4-box'

/** Bytes before the entries of a sample table: version, flags, and the number of entries. */
const tableHeadBytes = 8

type Sample = { at: number; sizeBytes: number }

/**
 * Returns the first seconds of an M4A (ISO 14496-12) as an M4A: one track with the original description, and its first
 * samples in one chunk. Null if a part of the index is missing.
 */
export async function cutM4a(file: FileWindow, seconds: number): Promise<Uint8Array | null> {
  const track = await findSound(file)
  if (!track) return null
  const { timescale, description, tables } = track
  const times = await readTimes(file, tables.stts, seconds * timescale)
  const samples = await findSamples(file, tables, times.count)
  const sound = await readSamples(file, samples)
  const type = box('ftyp', text('M4A '), numbers(0), text('M4A mp42isom'))
  const movie = (soundAt: number) =>
    box(
      'moov',
      box(
        'mvhd',
        numbers(0, 0, 0, timescale, times.ticks, 0x10000, 0x1000000, 0, 0),
        matrix,
        numbers(0, 0, 0, 0, 0, 0, 2),
      ),
      box(
        'trak',
        box('tkhd', numbers(7, 0, 0, 1, 0, times.ticks, 0, 0, 0, 0x1000000), matrix, numbers(0, 0)),
        box(
          'mdia',
          box('mdhd', numbers(0, 0, 0, timescale, times.ticks, undetermined)),
          box('hdlr', numbers(0, 0), text('soun'), numbers(0, 0, 0), text('\0')),
          box(
            'minf',
            box('smhd', numbers(0, 0)),
            box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1)))),
            box(
              'stbl',
              box('stsd', description),
              box('stts', numbers(0, times.entries.length / 2, ...times.entries)),
              box('stsc', numbers(0, 1, 1, samples.length, 1)),
              box('stsz', numbers(0, 0, samples.length, ...samples.map(({ sizeBytes }) => sizeBytes))),
              box('stco', numbers(0, 1, soundAt)),
            ),
          ),
        ),
      ),
    )
  return Buffer.concat([type, movie(type.byteLength + movie(0).byteLength + 8), box('mdat', sound)])
}

/** The language code "und", in five bits per letter. */
const undetermined = 0x55c40000
const matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

type Tables = Record<'stts' | 'stsz' | 'chunks', Box> & { stsc: Box | null; isLong: boolean }

async function findSound(file: FileWindow) {
  const top = await boxesIn(file, { at: 0, end: file.sizeBytes })
  const movie = top.boxes.find(({ name }) => name === 'moov')
  const tracks = movie ? (await boxesIn(file, movie)).boxes.filter(({ name }) => name === 'trak') : []
  for (const track of tracks) {
    const media = await findBox(file, track, 'mdia')
    const handler = media && (await findBox(file, media, 'hdlr'))
    if (!handler || asciiAt(await file.read(handler.at, 12), 8) !== 'soun') continue
    return readTrack(file, media)
  }
  return null
}

async function readTrack(file: FileWindow, media: Box) {
  const header = await findBox(file, media, 'mdhd')
  const information = await findBox(file, media, 'minf')
  const table = information && (await findBox(file, information, 'stbl'))
  if (!header || !table) return null
  const find = (name: string) => findBox(file, table, name)
  const [stsd, stts, stsz, offsets] = [
    await find('stsd'),
    await find('stts'),
    await find('stsz'),
    await find('stco'),
  ]
  const chunks = offsets ?? (await find('co64'))
  if (!stsd || !stts || !stsz || !chunks) return null
  const bytes = (await file.read(header.at, 24)).slice()
  const tables: Tables = { stts, stsz, chunks, stsc: await find('stsc'), isLong: offsets === null }
  return {
    timescale: viewOf(bytes).getUint32(bytes[0] === 1 ? 20 : 12),
    description: (await file.read(stsd.at, stsd.end - stsd.at)).slice(),
    tables,
  }
}

/**
 * Finds the samples that begin within so many ticks: their number, their ticks, and the `stts` entries of their
 * durations.
 */
async function readTimes(file: FileWindow, stts: Box, ticksMax: number) {
  const view = await readHead(file, stts)
  const entries: number[] = []
  let [count, ticks] = [0, 0]
  for (let at = tableHeadBytes; at + 8 <= view.byteLength && ticks < ticksMax; at += 8) {
    const [stated, each] = [view.getUint32(at), view.getUint32(at + 4)]
    const taken = each > 0 ? Math.min(stated, Math.ceil((ticksMax - ticks) / each)) : stated
    entries.push(taken, each)
    count += taken
    ticks += taken * each
  }
  return { count, ticks, entries }
}

/** Locates the first samples chunk by chunk; `stsc` says how many samples a chunk has. */
async function findSamples(file: FileWindow, tables: Tables, count: number): Promise<Sample[]> {
  const sizes = await readHead(file, tables.stsz)
  const chunks = await readHead(file, tables.chunks)
  const runs = tables.stsc && (await readHead(file, tables.stsc))
  const sizeOf = (sample: number) => sizes.getUint32(4) || sizes.getUint32(12 + sample * 4)
  const samples: Sample[] = []
  let run = 0
  for (let chunk = 0; samples.length < count; chunk += 1) {
    const entryAt = tableHeadBytes + chunk * (tables.isLong ? 8 : 4)
    if (entryAt + 4 > chunks.byteLength) break
    let at = tables.isLong ? Number(chunks.getBigUint64(entryAt)) : chunks.getUint32(entryAt)
    // An entry of `stsc` states the first chunk of its run, counted from 1.
    while (runs && hasRun(runs, run + 1) && runs.getUint32(tableHeadBytes + (run + 1) * 12) <= chunk + 1)
      run += 1
    const inChunk = runs && hasRun(runs, run) ? runs.getUint32(tableHeadBytes + run * 12 + 4) : count
    for (let each = 0; each < inChunk && samples.length < count; each += 1) {
      const sizeBytes = sizeOf(samples.length)
      samples.push({ at, sizeBytes })
      at += sizeBytes
    }
  }
  return samples.filter(({ at, sizeBytes }) => at + sizeBytes <= file.sizeBytes)
}

const hasRun = (runs: DataView, run: number) => tableHeadBytes + run * 12 + 12 <= runs.byteLength

async function readSamples(file: FileWindow, samples: Sample[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (const { at, sizeBytes } of samples) parts.push((await file.read(at, sizeBytes)).slice())
  return Buffer.concat(parts)
}

/** Reads the beginning of a table: 256 KB of entries are enough for any preview. */
async function readHead(file: FileWindow, { at, end }: Box): Promise<DataView> {
  return viewOf((await file.read(at, Math.min(windowBytes, end - at))).slice())
}

function box(name: string, ...content: Uint8Array[]): Uint8Array {
  const bytes = content.reduce((sum, { byteLength }) => sum + byteLength, 8)
  return Buffer.concat([numbers(bytes), text(name), ...content])
}

function text(letters: string): Uint8Array {
  return Buffer.from(letters, 'latin1')
}

/** Encodes numbers of 32 bits one after the other. */
function numbers(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
