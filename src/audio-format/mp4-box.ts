import { asciiAt, type FileWindow, viewOf } from '#src/storage/file-window'

/** A box of an MP4 file: its name, and where its content begins and ends. */
export type Box = { name: string; at: number; end: number }

/** A recording has a few dozen boxes on one level; more than this is an attack. */
const boxesMax = 10_000

/**
 * Reads the boxes in a section of the file. `isBroken` says that the last one is longer than the section, so the file
 * is truncated.
 */
export async function boxesIn(
  file: FileWindow,
  { at: from, end }: Pick<Box, 'at' | 'end'>,
): Promise<{ boxes: Box[]; isBroken: boolean }> {
  const boxes: Box[] = []
  let at = from
  while (at + 8 <= end && boxes.length < boxesMax) {
    const bytes = await file.read(at, 16)
    if (bytes.byteLength < 8) break
    const view = viewOf(bytes)
    const stated = view.getUint32(0)
    const isLong = stated === 1 && bytes.byteLength === 16
    const sizeBytes = stated === 0 ? end - at : isLong ? Number(view.getBigUint64(8)) : stated
    const headBytes = isLong ? 16 : 8
    if (sizeBytes < headBytes) return { boxes, isBroken: true }
    boxes.push({ name: asciiAt(bytes, 4), at: at + headBytes, end: Math.min(end, at + sizeBytes) })
    at += sizeBytes
  }
  return { boxes, isBroken: at > end }
}

export async function findBox(file: FileWindow, inside: Box, name: string): Promise<Box | null> {
  return (await boxesIn(file, inside)).boxes.find((box) => box.name === name) ?? null
}
