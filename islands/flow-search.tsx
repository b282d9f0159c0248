import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { Button } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Field } from '#src/ui/field'
import { IconButton } from '#src/ui/icon-button'
import { withQuery } from '#src/urls'

export type Flow = { id: string; title: string; duration: number }

/** Finds published flows of the library, to be added one by one. */
export function FlowSearch({ isFull, onAdd }: { isFull: boolean; onAdd: (flow: Flow) => void }) {
  const [found, setFound] = useState<Flow[] | null>(null)

  const search = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    try {
      const answer = (await operatorCall(
        withQuery('/api/premium-content', { q, type: 'flow', status: 'published', limit: 20 }),
      )) as { content: Flow[] }
      setFound(answer.content)
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      emit('nocturne:toast', { kind: 'bad', title: 'Search failed', description })
    }
  }
  return (
    <section className="panel stack" aria-labelledby="add">
      <h2 className="title-md" id="add">
        Add a flow
      </h2>
      <form className="stack-sm" aria-label="Flows" onSubmit={search}>
        <Field label="Words of its title or description" name="q" type="search" maxLength={100} />
        <Button type="submit" size="sm">
          Search flows
        </Button>
      </form>
      <p className="meta" role="status">
        {found && `${found.length} ${found.length === 1 ? 'flow' : 'flows'}`}
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
                icon={Plus}
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
