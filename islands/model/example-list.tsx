import { useRef, useState } from 'react'
import { ExampleDialog } from '#islands/model/example-dialog'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { showDialog } from '#islands/site/show-dialog'
import { consoleUrls } from '#src/console-urls'
import type { ShownExample } from '#src/example/schema'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'
import { TableMore } from '#src/ui/more'

/** The first ten training examples, approved or deleted in place. */
export default function ExampleList(props: { examples: ShownExample[]; count: number }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [examples, setExamples] = useState(props.examples)
  const [count, setCount] = useState(props.count)

  const approve = ({ id }: ShownExample) =>
    orToast(async () => {
      await operatorApi('PATCH /api/training-examples/:id', { path: { id }, body: { isApproved: true } })
      setExamples((all) => all.map((each) => (each.id === id ? { ...each, isApproved: true } : each)))
      // The pressed button is removed.
      heading.current?.focus()
      emit('nocturne:toast', { title: 'Training example approved', description: 'Models see it from now on' })
    }, failure)
  const remove = ({ id, inputPrompt }: ShownExample) =>
    orToast(async () => {
      await operatorApi('DELETE /api/training-examples/:id', { path: { id } })
      setExamples((all) => all.filter((each) => each.id !== id))
      setCount((all) => all - 1)
      heading.current?.focus()
      emit('nocturne:toast', { title: 'Training example deleted', description: inputPrompt })
    }, failure)
  const onAdded = (example: ShownExample) => {
    setExamples((all) => [example, ...all])
    setCount((all) => all + 1)
  }

  return (
    <section className="panel panel-flush" aria-labelledby="examples">
      <div className="panel-head plan-head">
        <h2 id="examples" ref={heading} tabIndex={-1}>
          Training Examples{' '}
          <span className="meta">
            {examples.length} of {count.toLocaleString('en')}
          </span>
        </h2>
        <Button size="sm" onClick={() => showDialog(dialog.current)}>
          <Icon name="i-lucide-sm-plus" />
          Add Example
        </Button>
      </div>
      {examples.length === 0 ? (
        <NothingHere>No training examples yet. An approved one is shown to the model.</NothingHere>
      ) : (
        <Table
          label="Training examples"
          columns={['Input prompt', 'Expected output', 'Categories', 'State', 'Actions']}
        >
          {examples.map((example) => (
            <tr key={example.id}>
              <th scope="row">
                <strong>{example.inputPrompt}</strong>
              </th>
              <td>
                <p className="serif">{example.expectedOutput}</p>
              </td>
              <td data-label="Categories">{example.categories.join(', ') || 'any'}</td>
              <td data-label="State">
                {example.isApproved ? (
                  <Badge kind="good">Approved</Badge>
                ) : (
                  <Badge kind="line">Not approved</Badge>
                )}
              </td>
              <td>
                <div className="btn-row">
                  {!example.isApproved && (
                    <Button
                      size="sm"
                      aria-label={`Approve: ${example.inputPrompt}`}
                      onClick={() => void approve(example)}
                    >
                      Approve
                    </Button>
                  )}
                  <button
                    className="icon-btn"
                    type="button"
                    aria-label={`Delete example: ${example.inputPrompt}`}
                    onClick={() => void remove(example)}
                  >
                    <Icon name="i-lucide-sm-trash" />
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {count > examples.length && (
        <TableMore href={consoleUrls.training({ tab: 'examples', all: 'true' })}>
          Show {(count - examples.length).toLocaleString('en')} more
        </TableMore>
      )}
      <ExampleDialog ref={dialog} onAdded={onAdded} />
    </section>
  )
}

const failure = { title: 'Error', otherwise: 'Please try again' }
