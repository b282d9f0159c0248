import { useRef, useState } from 'react'
import { StudioForm } from '#islands/narration/studio-form'
import { UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { parseScript, problemText } from '#src/script/format/parse-script'
import { ScriptText } from '#src/script/script-text'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** The version to send if no script is stored. If somebody else has stored one meanwhile, it is not overwritten. */
const notStored = 'none'

/** The script beside its text. It is displayed with its marks as styles, and edited with its marks as text. */
export default function ScriptEditor(props: { storyId: string; script: string; updatedAt: string | null }) {
  const { storyId, script, updatedAt } = props
  /** The version that is being edited. It stays the same if the page behind is updated. */
  const [seen, setSeen] = useState<string | null>(null)
  const isEditing = seen !== null
  const heading = useRef<HTMLHeadingElement>(null)
  const onDone = () => {
    setSeen(null)
    heading.current?.focus()
  }
  const parsed = parseScript(script)
  return (
    <section aria-labelledby="script">
      <div className="panel-head">
        <h2 id="script" ref={heading} tabIndex={-1}>
          Script
        </h2>
        {!isEditing && (
          <span className="btn-row">
            <Badge kind="good">
              <Icon name="i-lucide-sm-check" />
              Words unchanged
            </Badge>
            <Button size="sm" onClick={() => setSeen(updatedAt ?? notStored)}>
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
          save={(draft) => saveScript(storyId, draft, seen)}
          onDone={onDone}
        />
      ) : (
        <div className="script script-said">{parsed.script && <ScriptText script={parsed.script} />}</div>
      )}
    </section>
  )
}

/** Saves a script. A mistake in it is reported with its line and column. */
async function saveScript(storyId: string, script: string, seen: string): Promise<void> {
  const { problem } = parseScript(script)
  if (problem) throw new UserFacingError(problemText(problem))
  await operatorApi('PUT /api/stories/:id/script', { path: { id: storyId }, body: { script }, ifMatch: seen })
  emit('nocturne:toast', {
    kind: 'good',
    title: 'Script saved',
    description: 'It is used from the next narration on.',
  })
}
