import ImportList from '#islands/import/import-list'
import { Island } from '#src/ui/island'
import { More } from '#src/ui/more'
import { batchName } from './rules'
import type { listImports } from './undo'

type Props = {
  batches: Awaited<ReturnType<typeof listImports>>
  /** Number of all imports. */
  count: number
  /** Link to the imports that are not shown. */
  more: { href: string; words: string } | null
}

/** List of imports, each of which can be undone as a whole, with a link to those that are not shown. */
export function Batches({ batches, count, more }: Props) {
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
  return (
    <>
      <Island name="import-list" when="visible" of={ImportList} props={{ imports, count }} />
      {more && <More href={`${more.href}#imports`}>{more.words}</More>}
    </>
  )
}
