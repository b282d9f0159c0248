import { type FormEvent, useState } from 'react'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Field } from '#src/ui/field'
import { IconButton } from '#src/ui/icon-button'

export type Flow = { id: string; title: string; duration: number }

/** Searches published flows of the library, to add them one by one. */
export function FlowSearch({ isFull, onAdd }: { isFull: boolean; onAdd: (flow: Flow) => void }) {
  const [found, setFound] = useState<Flow[] | null>(null)

  const { submit } = useSubmit({ title: 'Search failed', otherwise: 'Please try again' })
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    void submit(async (signal) => {
      const query = { q, type: 'flow', status: 'published', limit: 20 } as const
      const { content } = await operatorApi('GET /api/premium-content', { query, signal })
      setFound(content)
    })
  }
  return (
    <section className="panel stack" aria-labelledby="add">
      <h2 className="title-md" id="add">
        Add a flow
      </h2>
      <form className="stack-sm" aria-label="Flows" onSubmit={search}>
        <Field label="Words from its title or description" name="q" type="search" maxLength={100} />
        <Button type="submit" size="sm">
          Search flows
        </Button>
      </form>
      <p className="meta" role="status">
        {found && pluralize(found.length, 'flow')}
      </p>
      {found && found.length > 0 && (
        <ul className="row-list" aria-label="Found flows">
          {found.map((flow) => (
            <li className="row row-tight" key={flow.id}>
              <Cover title={flow.title} shape="40" />
              <div className="row-words">
                <b>{flow.title}</b>
                <span className="meta">{`${flow.duration} min`}</span>
              </div>
              <IconButton
                label={`Add ${flow.title}`}
                icon="i-lucide-sm-plus"
                disabled={isFull}
                onPress={() => onAdd(flow)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
