import { type SubmitEvent, useState } from 'react'
import { reload } from '#islands/navigation/visit'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import type { Paragraph } from '#src/ui/story-text'

/** The author's text in the studio: shown in paragraphs, corrected where it stands. */
export default function TextEditor(props: {
  storyId: string
  text: string
  /** The same as it is read, each with its place. */
  paragraphs: readonly Paragraph[]
  /** "12 words · 3 sentences" */
  count: string
  isEditable: boolean
}) {
  const { storyId, text, paragraphs, count, isEditable } = props
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <div className="panel-head">
        <h2 id="before">Text</h2>
        <span className="btn-row">
          <span className="meta num">{count}</span>
          {isEditable && !isEditing && (
            <Button size="sm" onClick={() => setEditing(true)}>
              <Icon name="i-lucide-sm-pencil" />
              Edit text
            </Button>
          )}
        </span>
      </div>
      {isEditing ? (
        <TextForm storyId={storyId} text={text} onDone={() => setEditing(false)} />
      ) : (
        <div className="script" dir="auto">
          {paragraphs.map(({ text: paragraph, at }) => (
            <p key={at}>{paragraph}</p>
          ))}
        </div>
      )}
    </>
  )
}

/** A refused text stays in the field; of a saved one the page says what has to be spoken again. */
function TextForm({ storyId, text, onDone }: { storyId: string; text: string; onDone: () => void }) {
  const [draft, setDraft] = useState(text)
  const { isBusy, problem, submit } = useSubmit({ otherwise: 'The text was not saved. Please try again.' })

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    void submit(async () => {
      await operatorApi('PUT /api/premium-content/:id', { path: { id: storyId }, body: { content: draft } })
      emit('nocturne:toast', { kind: 'good', title: 'Text saved' })
      await reload()
      onDone()
    })
  }

  return (
    <form className="stack" onSubmit={onSubmit}>
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      <textarea
        className="textarea studio-field"
        aria-label="Text"
        dir="auto"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="btn-row">
        <Button kind="primary" type="submit" disabled={isBusy || draft === text || draft.trim() === ''}>
          {isBusy ? 'Saving...' : 'Save text'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
