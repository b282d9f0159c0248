import ImportList from '#islands/import-list'
import { Island } from '#src/ui/island'
import type { listImports } from './undo'

/** What a batch without a file is called. */
const kindNames: Record<string, string> = {
  paste: 'pasted rows',
  bulk: 'pasted rows',
  items: 'a list of items',
}
/** The imports, each to be taken back as a whole. */
export function Batches({ batches }: { batches: Awaited<ReturnType<typeof listImports>> }) {
  const imports = batches.map((batch) => ({
    id: batch.id,
    name: batch.fileName ?? kindNames[batch.kind] ?? batch.kind,
    by: batch.by,
    isUndone: batch.state === 'undone',
    imported: batch.imported,
    updated: batch.updated,
    matchedAudio: batch.matchedAudio,
    createdAt: batch.createdAt.toISOString(),
  }))
  return <Island name="import-list" of={ImportList} props={{ imports }} />
}
