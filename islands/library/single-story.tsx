import { type FormEvent, useEffect, useState } from 'react'
import { startOver } from '#islands/library/start-over'
import { withWarnings } from '#islands/library/with-warnings'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { fillInBoth, SingleStoryForm } from '#src/operator/single-story-form'
import type { TypedStory } from '#src/story/draft-schema'
import { durationMinutesDefault, knownCategories } from '#src/story/rules'
import type { FormError } from '#src/ui/field-problem'

/**
 * Form for one story, created without leaving the page. Typed text stays when the server refuses it. `typed` is what was
 * sent without a script, and `problem` why it was refused.
 */
export default function SingleStory({
  typed,
  problem: given = null,
}: {
  typed?: TypedStory
  problem?: FormError | null
}) {
  // The story that was refused without a script, until one is created.
  const [refused, setRefused] = useState(typed)
  // Disabled only after hydration: without a script the button would stay disabled.
  const [isValid, setValid] = useState(true)
  useEffect(() => setValid(Boolean(refused?.title?.trim() && refused.content?.trim())), [refused])
  const [isTyped, setTyped] = useState(Boolean(typed?.title || typed?.content))
  useUnsaved(isTyped)
  const { isBusy, problem, submit } = useSubmit(
    { title: 'Upload failed', otherwise: 'Failed to create story' },
    given,
  )

  const look = (form: HTMLFormElement) => {
    const { title, content } = fieldsOf(form)
    setValid(title !== '' && content !== '')
    setTyped(title !== '' || content !== '')
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const draft = fieldsOf(form)
    if (!draft.title || !draft.content)
      return void emit('nocturne:toast', {
        kind: 'bad',
        title: 'Missing information',
        description: fillInBoth,
      })
    void submit(async () => {
      const { warnings } = await operatorApi('POST /api/stories', { body: draft })
      startOver(form)
      setRefused(undefined)
      setValid(false)
      setTyped(false)
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Story created successfully',
        description: withWarnings(draft.title, warnings),
      })
    })
  }

  return (
    <SingleStoryForm
      // A reset would restore the refused story, whose fields are the form's defaults.
      key={refused ? 'refused' : 'new'}
      isDisabled={!isValid}
      isBusy={isBusy}
      typed={refused}
      problem={problem}
      onInput={(event) => look(event.currentTarget)}
      onSubmit={onSubmit}
    />
  )
}

function fieldsOf(form: HTMLFormElement) {
  const fields = new FormData(form)
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const minutes = Number.parseInt(text('duration'), 10)
  return {
    title: text('title'),
    content: text('content'),
    categories: knownCategories([text('category')]),
    // Text that is not a number becomes the default.
    duration: Number.isNaN(minutes) ? durationMinutesDefault : minutes,
    voice: text('voice'),
    source: 'pre_uploaded' as const,
  }
}
