import ImportList from '#islands/import/import-list'
import { Island } from '#src/ui/island'
import type { listImports } from './undo'

/** The name of a batch without a file. */
const kindNames: Record<string, string> = {
  paste: 'pasted rows',
  bulk: 'pasted rows',
  items: 'a list of items',
}
/** The imports, each of which can be undone as a whole. */
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
