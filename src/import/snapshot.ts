import type { ExistingItem } from './existing-item'

/** A batch's record of an item that it changes: its earlier state, and the written columns. */
export type Snapshot = ExistingItem & { changed: string[] }

/** A snapshot parsed from JSON. Batches from before November 2026 do not list the written columns. */
export type StoredSnapshot = Omit<Snapshot, 'publishedAt' | 'changed'> & {
  publishedAt?: string
  changed?: string[]
}
