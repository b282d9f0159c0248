import { useRef, useState } from 'react'
import { saveItem } from '#islands/library/save-item'
import { StudioForm } from '#islands/narration/studio-form'
import { emit } from '#islands/runtime/events'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import type { Paragraph } from '#src/ui/story-text'

/** The author's text in the studio, shown in paragraphs and corrected in place. */
export default function TextEditor(props: {
  storyId: string
  text: string
  /** The same text in paragraphs, each with its offset. */
  paragraphs: readonly Paragraph[]
  /** "12 words · 3 sentences" */
  count: string
  isEditable: boolean
}) {
  const { storyId, text, paragraphs, count, isEditable } = props
  const [isEditing, setEditing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const onDone = () => {
    setEditing(false)
    heading.current?.focus()
  }
  return (
    <>
      <div className="panel-head">
        <h2 id="before" ref={heading} tabIndex={-1}>
          Text
        </h2>
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
        <StudioForm
          noun="text"
          label="Text"
          before={text}
          save={(draft) => saveText(storyId, text, draft)}
          onDone={onDone}
        />
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

async function saveText(storyId: string, before: string, content: string): Promise<void> {
  await saveItem({ id: storyId, content: before }, { content })
  emit('nocturne:toast', { kind: 'good', title: 'Text saved' })
}
