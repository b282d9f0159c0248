const blockBytes = 1024 * 1024

/** Many texts in half of the memory of strings, without work for the garbage collector: as UTF-8, in blocks. */
export type TextStore = {
  add(text: string): void
  /** The text that was added as the `index`-th, or "" where there is none. */
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
