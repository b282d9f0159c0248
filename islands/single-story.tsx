import { type FormEvent, useEffect, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { SingleStoryForm } from '#src/operator/single-story-form'
import { durationMinutesDefault } from '#src/story/rules'
import { urls } from '#src/urls'

/** One story, created without leaving the page; what was typed stays when the server refuses. */
export default function SingleStory() {
  // Without a script nobody would open the button again.
  const [isValid, setValid] = useState(true)
  useEffect(() => setValid(false), [])
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()

  const look = (form: HTMLFormElement) => {
    const { title, content } = fieldsOf(form)
    setValid(title !== '' && content !== '')
  }

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const draft = fieldsOf(form)
    if (!draft.title || !draft.content)
      return void emit('nocturne:toast', {
        kind: 'bad',
        title: 'Missing information',
        description: 'Please fill in title and content.',
      })
    setBusy(true)
    setProblem(undefined)
    try {
      await operatorCall(urls.apiStories(), { method: 'POST', body: draft })
      form.reset()
      setValid(false)
      emit('nocturne:toast', { kind: 'good', title: 'Story created successfully', description: draft.title })
    } catch (error) {
      const description = failureWords(error, 'Failed to create story')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Upload failed', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <SingleStoryForm
      isDisabled={!isValid || isBusy}
      isBusy={isBusy}
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
    categories: [text('category')],
    // operator.md §5: what is no number falls back.
    duration: Number.isNaN(minutes) ? durationMinutesDefault : minutes,
    voice: text('voice'),
    source: 'pre_uploaded',
  }
}
