import { useState } from 'react'
import { StudioForm } from '#islands/narration/studio-form'
import { UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { parseScript, problemText } from '#src/script/format/parse-script'
import { ScriptText } from '#src/script/script-text'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

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
        <StudioForm
          noun="script"
          label="Script with its marks"
          before={script}
          isCode
          save={(draft) => saveScript(storyId, draft)}
          onDone={() => setEditing(false)}
        />
      ) : (
        <div className="script script-said">{parsed.script && <ScriptText script={parsed.script} />}</div>
      )}
    </section>
  )
}

/** The mistake of a refused script is named with its line and column. */
async function saveScript(storyId: string, script: string): Promise<void> {
  const { problem } = parseScript(script)
  if (problem) throw new UserFacingError(problemText(problem))
  await operatorApi('PUT /api/stories/:id/script', { path: { id: storyId }, body: { script } })
  emit('nocturne:toast', {
    kind: 'good',
    title: 'Script saved',
    description: 'It is spoken from now on.',
  })
}
