import { Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { emit } from '#islands/events'
import { Moment } from '#islands/moment'
import { failureWords, operatorCall } from '#islands/operator-call'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Table } from '#src/ui/console/table'
import { Dialog } from '#src/ui/dialog'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

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

/** The imports: every batch can be taken back as a whole, once somebody has said yes to it. */
export default function ImportList(props: { imports: Batch[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [imports, setImports] = useState(props.imports)
  const [asked, setAsked] = useState<Batch | null>(null)
  const [isBusy, setBusy] = useState(false)

  const ask = (batch: Batch) => {
    setAsked(batch)
    if (!dialog.current) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }
  const undo = async ({ id, name }: Batch) => {
    setBusy(true)
    try {
      const answer = await operatorCall(urls.apiImportUndo(id), { method: 'POST', body: {} })
      const { removed, restored } = answer as { removed: number; restored: number }
      setImports((all) => all.map((each) => (each.id === id ? { ...each, isUndone: true } : each)))
      dialog.current?.close()
      emit('nocturne:toast', {
        title: 'Import undone',
        description: `${name}: ${removed} removed, ${restored} as before`,
      })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="section" aria-labelledby="imports">
      <div className="section-head">
        <h2 className="title-md" id="imports">
          Imports
        </h2>
        <span className="meta">Every batch can be taken back as a whole</span>
      </div>
      <div className="panel panel-flush">
        {imports.length === 0 ? (
          <p className="plan-head lead">Nothing was imported yet.</p>
        ) : (
          <Table label="Imports" columns={['File', 'When', 'What it did', 'State', 'Actions']}>
            {imports.map((batch) => (
              <tr key={batch.id}>
                <td>
                  <strong>{batch.name}</strong>
                </td>
                <td data-label="When">
                  <Moment at={batch.createdAt} /> · {batch.by}
                </td>
                <td data-label="What it did">
                  {batch.imported} added, {batch.updated} changed, {batch.matchedAudio} audio{' '}
                  {batch.matchedAudio === 1 ? 'file' : 'files'}
                </td>
                <td data-label="State">
                  {batch.isUndone ? <Badge kind="line">Undone</Badge> : <Badge kind="good">Applied</Badge>}
                </td>
                <td className="right">
                  {!batch.isUndone && (
                    <Button size="sm" aria-label={`Undo: ${batch.name}`} onClick={() => ask(batch)}>
                      <Icon of={Undo2} size="sm" />
                      Undo
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
      <Dialog
        id="undo-import"
        title={asked ? `Undo ${asked.name}` : 'Undo'}
        ref={dialog}
        onClose={giveToastsBack}
      >
        {asked && (
          <div className="stack">
            <p className="prose">{undoWords(asked)}</p>
            <div className="btn-row btn-row-end">
              <Button kind="ghost" onClick={() => dialog.current?.close()}>
                Keep it
              </Button>
              <Button kind="danger" disabled={isBusy} onClick={() => void undo(asked)}>
                Undo the import
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </section>
  )
}

function undoWords({ imported, updated }: Batch): string {
  const added =
    imported === 1
      ? 'One item leaves the library with its narrations.'
      : `${imported} items leave the library with their narrations.`
  const changed = updated === 1 ? 'One is as it was before.' : `${updated} are as they were before.`
  return [imported > 0 && added, updated > 0 && changed, 'Edits made since go too.'].filter(Boolean).join(' ')
}
