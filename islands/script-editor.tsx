import { Check, Pencil } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { reload } from '#islands/visit'
import { parseScript, problemText } from '#src/script/parse-script'
import { ScriptText } from '#src/script/script-text'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'

/** The script beside its text: read with its marks as looks, edited with its marks as words. */
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
              <Icon of={Check} size="sm" />
              Words unchanged
            </Badge>
            <Button size="sm" onClick={() => setEditing(true)}>
              <Icon of={Pencil} size="sm" />
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

/** What is refused stays in the field, with the line and column of the mistake. */
function ScriptForm({ storyId, script, onDone }: { storyId: string; script: string; onDone: () => void }) {
  const [draft, setDraft] = useState(script)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    const parsed = parseScript(draft)
    if (parsed.problem) return setProblem(problemText(parsed.problem))
    setBusy(true)
    try {
      await operatorCall(urls.apiScript(storyId), { method: 'PUT', body: { script: draft } })
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Script saved',
        description: 'It is spoken from now on.',
      })
      await reload()
      onDone()
    } catch (error) {
      setProblem(failureWords(error, 'The script was not saved. Please try again.'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="stack" onSubmit={onSubmit}>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <textarea
        className="textarea textarea-code studio-field"
        aria-label="Script with its marks"
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
