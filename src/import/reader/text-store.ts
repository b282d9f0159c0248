const blockBytes = 1024 * 1024

/** Stores many texts as UTF-8 in blocks: half the memory of strings, and no work for the garbage collector. */
export type TextStore = {
  add(text: string): void
  /** The text with this index, in the order of adding. "" if there is none. */
  get(index: number): string
}

export function openTextStore(): TextStore {
  const blocks: Buffer[] = []
  const places: { block: number[]; from: number[]; to: number[] } = { block: [], from: [], to: [] }
  let used = blockBytes
  return {
    add(text) {
      const bytes = Buffer.byteLength(text)
      if (used + bytes > blockBytes) {
        blocks.push(Buffer.alloc(Math.max(blockBytes, bytes)))
        used = 0
      }
      blocks.at(-1)?.write(text, used)
      places.block.push(blocks.length - 1)
      places.from.push(used)
      used += bytes
      places.to.push(used)
    },
    get(index) {
      return blocks[places.block[index] ?? -1]?.toString('utf8', places.from[index], places.to[index]) ?? ''
    },
  }
}
