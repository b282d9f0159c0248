import { type FormEvent, useState } from 'react'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { narrators } from '#src/narration/rules'
import { CategoryToggles } from '#src/story/category-chips'
import {
  descriptionCharactersMax,
  durationMinutesDefault,
  itemTypes,
  premiumMinutes,
  titleCharactersMax,
} from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { Notice } from '#src/ui/notice'
import { Select } from '#src/ui/select'
import { SwitchRow } from '#src/ui/switch-row'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

/** Single Upload (operator.md §2): one item, now, at a time of its own, or as a draft. */
export default function SingleUpload() {
  const [isValid, setValid] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const [chosen, setChosen] = useState<string[]>(['romantic'])

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { submitter } = event.nativeEvent as SubmitEvent
    const isDraft = submitter instanceof HTMLButtonElement && submitter.value === 'draft'
    setBusy(true)
    setProblem(undefined)
    try {
      const body = { ...fieldsOf(new FormData(form), isDraft), categories: chosen }
      await operatorCall(urls.apiPremium(), { method: 'POST', body })
      form.reset()
      setChosen(['romantic'])
      setValid(false)
      emit('nocturne:toast', {
        kind: 'good',
        title: isDraft ? 'Draft saved' : 'Content uploaded successfully',
        description: body.title,
      })
    } catch (error) {
      const description = failureWords(error, 'Please try again.')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Upload failed', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      className="panel stack single-upload"
      aria-label="Single Upload"
      noValidate
      onInput={(event) => {
        const fields = new FormData(event.currentTarget)
        setValid(['title', 'content'].every((name) => String(fields.get(name) ?? '').trim() !== ''))
      }}
      onSubmit={onSubmit}
    >
      <Field label="Title" name="title" maxLength={titleCharactersMax} required />
      <Field label="Description" name="description" maxLength={descriptionCharactersMax} />
      <div className="field-row">
        <Select label="Type" name="type" choices={itemTypes} />
        <Select label="Voice" name="voice" choices={narrators} defaultValue="rachel" />
        <Field
          label="Duration (minutes)"
          type="number"
          name="duration"
          min={premiumMinutes.min}
          max={premiumMinutes.max}
          defaultValue={durationMinutesDefault}
          hint={`${premiumMinutes.min} to ${premiumMinutes.max}`}
        />
      </div>
      <TextArea label="Content" name="content" required />
      <TextArea
        label="Excerpt"
        name="excerpt"
        look="short"
        hint="Left empty, it is the beginning of the text."
      />
      <CategoryToggles chosen={chosen} onChange={setChosen} />
      <div className="field-row">
        <Field label="Tags" name="tags" placeholder="tram, hills, rain" />
        <Field
          label="Content notes"
          name="contentNotes"
          placeholder="grief, strong language"
          hint="What a story touches, not what happens."
        />
      </div>
      <Field
        label="Appears"
        type="datetime-local"
        name="publishedAt"
        hint="Left empty, it appears at once."
      />
      <SwitchRow
        title="Generate audio"
        words="Narrated in the background; it appears beforehand."
        name="generateAudio"
        defaultChecked
      />
      <SwitchRow title="Free sample" words="Visitors may hear it without an account." name="isFree" />
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div className="btn-row">
        <Button kind="primary" type="submit" disabled={!isValid || isBusy}>
          {isBusy ? 'Uploading...' : 'Upload'}
        </Button>
        <Button kind="ghost" type="submit" name="as" value="draft" disabled={!isValid || isBusy}>
          Save as a draft
        </Button>
      </div>
    </form>
  )
}

/** The call's fields of the form. A moment is given in the operator's zone. */
function fieldsOf(form: FormData, isDraft: boolean) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const minutes = Number.parseInt(text('duration'), 10)
  const appears = text('publishedAt') ? new Date(text('publishedAt')) : null
  const isLater = appears !== null && appears.getTime() > Date.now()
  return {
    title: text('title'),
    description: text('description'),
    excerpt: text('excerpt'),
    content: text('content'),
    type: text('type'),
    voice: text('voice'),
    tags: text('tags'),
    contentNotes: listOf(text('contentNotes')),
    duration: Number.isNaN(minutes) ? durationMinutesDefault : minutes,
    generateAudio: form.has('generateAudio') && !isDraft,
    isFree: form.has('isFree'),
    status: isDraft ? 'draft' : isLater ? 'scheduled' : 'published',
    ...(appears && { publishedAt: appears.toISOString() }),
  }
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}
