import { type FileWindow, viewOf } from '#src/storage/file-window'
import { type Box, findBox } from './mp4-box'

/** The totals of a track's sample table: ticks of its time scale and bytes, and the offset of the last chunk. */
export type SampleTable = { duration: number; sizeBytes: number; lastChunkAt: number }

/** Sums up the table, window by window; null if a part of it is missing. */
export async function readSampleTable(file: FileWindow, table: Box): Promise<SampleTable | null> {
  const times = await findBox(file, table, 'stts')
  const sizes = await findBox(file, table, 'stsz')
  const offsets = await findBox(file, table, 'stco')
  const longOffsets = offsets ? null : await findBox(file, table, 'co64')
  const chunks = offsets ?? longOffsets
  if (!times || !sizes || !chunks) return null

  let duration = 0
  await eachEntry(file, times, { headBytes: 8, entryBytes: 8 }, (view, at) => {
    duration += view.getUint32(at) * view.getUint32(at + 4)
  })
  let lastChunkAt = 0
  await eachEntry(file, chunks, { headBytes: 8, entryBytes: longOffsets ? 8 : 4 }, (view, at) => {
    lastChunkAt = Math.max(lastChunkAt, longOffsets ? Number(view.getBigUint64(at)) : view.getUint32(at))
  })
  return { duration, sizeBytes: await addSizes(file, sizes), lastChunkAt }
}

/**
 * Sums up the sizes. If all samples have one size, it is stated once with their number; otherwise each has an entry.
 */
async function addSizes(file: FileWindow, box: Box): Promise<number> {
  const head = await file.read(box.at, 12)
  if (head.byteLength < 12) return 0
  const view = viewOf(head)
  const [each, count] = [view.getUint32(4), view.getUint32(8)]
  if (each > 0) return each * count
  let sizeBytes = 0
  await eachEntry(file, box, { headBytes: 12, entryBytes: 4 }, (entry, at) => {
    sizeBytes += entry.getUint32(at)
  })
  return sizeBytes
}

/** Calls `use` for every entry that is in the box, whatever number of entries it states. */
async function eachEntry(
  file: FileWindow,
  box: Box,
  { headBytes, entryBytes }: { headBytes: number; entryBytes: number },
  use: (view: DataView, at: number) => void,
): Promise<void> {
  const readBytes = 64 * 1024
  for (let from = box.at + headBytes; from + entryBytes <= box.end; ) {
    const bytes = await file.read(from, Math.min(readBytes, box.end - from))
    const whole = bytes.byteLength - (bytes.byteLength % entryBytes)
    if (whole === 0) return
    const view = viewOf(bytes)
    for (let at = 0; at < whole; at += entryBytes) use(view, at)
    from += whole
  }
}
