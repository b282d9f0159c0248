import { type SubmitEvent, useState } from 'react'
import { reload } from '#islands/navigation/visit'
import { UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { parseScript, problemText } from '#src/script/format/parse-script'
import { ScriptText } from '#src/script/script-text'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'

/** The script beside its text: shown with its marks as styles, edited with its marks as text. */
export default function ScriptEditor({ storyId, script }: { storyId: string; script: string }) {
  const [isEditing, setEditing] = useState(false)
  const parsed = parseScript(script)
  return (
    <section aria-labelledby="script">
      <div className="panel-head">
        <h2 id="script">Script</h2>
        {!isEditing && (
          <span className="btn-row">
            <Badge kind="good">
              <Icon name="i-lucide-sm-check" />
              Words unchanged
            </Badge>
            <Button size="sm" onClick={() => setEditing(true)}>
              <Icon name="i-lucide-sm-pencil" />
              Edit script
            </Button>
          </span>
        )}
      </div>
      {isEditing ? (
        <ScriptForm storyId={storyId} script={script} onDone={() => setEditing(false)} />
      ) : (
        <div className="script script-said">{parsed.script && <ScriptText script={parsed.script} />}</div>
      )}
    </section>
  )
}

/** A refused script stays in the field, with the line and column of the mistake. */
function ScriptForm({ storyId, script, onDone }: { storyId: string; script: string; onDone: () => void }) {
  const [draft, setDraft] = useState(script)
  const { isBusy, problem, setProblem, submit } = useSubmit({
    otherwise: 'The script was not saved. Please try again.',
  })

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const parsed = parseScript(draft)
    void submit(async () => {
      if (parsed.problem) throw new UserFacingError(problemText(parsed.problem))
      await operatorApi('PUT /api/stories/:id/script', { path: { id: storyId }, body: { script: draft } })
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Script saved',
        description: 'It is spoken from now on.',
      })
      await reload()
      onDone()
    })
  }

  return (
    <form className="stack" onSubmit={onSubmit}>
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      <textarea
        className="textarea textarea-code studio-field"
        aria-label="Script with its marks"
        dir="auto"
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value)
          setProblem(null)
        }}
        spellCheck={false}
      />
      <div className="btn-row">
        <Button kind="primary" type="submit" disabled={isBusy || draft === script}>
          {isBusy ? 'Saving...' : 'Save script'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
