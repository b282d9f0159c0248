import ImportList from '#islands/import/import-list'
import { Island } from '#src/ui/island'
import { batchName } from './rules'
import type { listImports } from './undo'

/** The imports, each of which can be undone as a whole. */
export function Batches({ batches }: { batches: Awaited<ReturnType<typeof listImports>> }) {
  const imports = batches.map((batch) => ({
    id: batch.id,
    name: batchName(batch),
    by: batch.by,
    isUndone: batch.state === 'undone',
    imported: batch.imported,
    updated: batch.updated,
    matchedAudio: batch.matchedAudio,
    createdAt: batch.createdAt.toISOString(),
  }))
  return <Island name="import-list" when="visible" of={ImportList} props={{ imports }} />
}
