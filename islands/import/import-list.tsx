import { useRef, useState } from 'react'
import { UndoImport, type UndoRequest } from '#islands/import/undo-import'
import { IslandTime } from '#islands/site/local-time'
import { dot } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'

type Batch = {
  id: string
  name: string
  by: string
  isUndone: boolean
  imported: number
  updated: number
  matchedAudio: number
  createdAt: string
}

/** The list of imports. Each can be undone as a whole, after a preview of the undo. */
export default function ImportList(props: { imports: Batch[]; count: number }) {
  const [imports, setImports] = useState(props.imports)
  const [undoRequest, setUndoRequest] = useState<UndoRequest | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const markUndone = ({ id }: UndoRequest) => {
    setImports((all) => all.map((each) => (each.id === id ? { ...each, isUndone: true } : each)))
    // The pressed button is removed.
    heading.current?.focus()
  }

  return (
    <section className="section" aria-labelledby="imports">
      <div className="section-head">
        <h2 className="title-md" id="imports" ref={heading} tabIndex={-1}>
          Imports <span className="meta">{props.count.toLocaleString('en')}</span>
        </h2>
        <span className="meta">Every import can be undone as a whole</span>
      </div>
      <div className="panel panel-flush">
        {imports.length === 0 ? (
          <NothingHere>Nothing imported yet.</NothingHere>
        ) : (
          <Table label="Imports" columns={['File', 'When', 'What it did', 'State', 'Actions']}>
            {imports.map((batch) => (
              <tr key={batch.id}>
                <th scope="row">
                  <strong>{batch.name}</strong>
                </th>
                <td data-label="When">
                  <IslandTime at={batch.createdAt} />
                  {dot}
                  {batch.by}
                </td>
                <td data-label="What it did">
                  {batch.imported} added, {batch.updated} changed,{' '}
                  {pluralize(batch.matchedAudio, 'audio file')}
                </td>
                <td data-label="State">
                  {batch.isUndone ? <Badge kind="line">Undone</Badge> : <Badge kind="good">Applied</Badge>}
                </td>
                <td className="right">
                  {!batch.isUndone && (
                    <Button
                      size="sm"
                      aria-label={`Undo: ${batch.name}`}
                      onClick={() => setUndoRequest({ id: batch.id, name: batch.name })}
                    >
                      <Icon name="i-lucide-sm-undo-2" />
                      Undo
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      <UndoImport request={undoRequest} onClose={() => setUndoRequest(null)} onUndone={markUndone} />
    </section>
  )
}
