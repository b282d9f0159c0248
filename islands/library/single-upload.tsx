import { type SubmitEvent, useState } from 'react'
import { PublishNow } from '#islands/library/publish-now'
import { startOver } from '#islands/library/start-over'
import { emptyPreview, previewedFieldsOf, UploadPreview } from '#islands/library/upload-preview'
import { withWarnings } from '#islands/library/with-warnings'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { narrators } from '#src/narration/rules'
import { CategoryToggles } from '#src/story/category-chips'
import type { PremiumDraft } from '#src/story/draft-schema'
import { itemFields } from '#src/story/fields'
import { inputOf, MinutesField, MoreFields, readInputs, YesNoFields } from '#src/story/item-inputs'
import { type Category, itemTypes, premiumMinutes } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { choicesOf, Select } from '#src/ui/select'
import { SwitchRow } from '#src/ui/switch-row'
import { TextArea } from '#src/ui/text-area'

/** How the item is saved. `now` ignores the time in the form. */
type SaveMode = 'item' | 'draft' | 'now'

/** Single Upload: one item, published now, scheduled, or saved as a draft. */
export default function SingleUpload() {
  const [previewed, setPreviewed] = useState(emptyPreview)
  useUnsaved(previewed !== emptyPreview)
  const isValid = previewed.title !== '' && previewed.content !== ''
  const { isBusy, problem, submit } = useSubmit({ title: 'Upload failed', otherwise: 'Please try again.' })
  const [chosen, setChosen] = useState<Category[]>(['romantic'])

  const upload = (form: HTMLFormElement, as: SaveMode) => {
    const isDraft = as === 'draft'
    void submit(async () => {
      const body = { ...fieldsOf(new FormData(form), as), categories: chosen }
      const { warnings } = await operatorApi('POST /api/premium-content', { body })
      startOver(form)
      setChosen(['romantic'])
      setPreviewed(emptyPreview)
      emit('nocturne:toast', {
        kind: 'good',
        title: isDraft ? 'Draft saved' : 'Content uploaded successfully',
        description: withWarnings(body.title, warnings),
      })
    })
  }
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent
    const isDraft = submitter instanceof HTMLButtonElement && submitter.value === 'draft'
    upload(event.currentTarget, isDraft ? 'draft' : 'item')
  }

  return (
    <div className="split split-main">
      <form
        className="panel stack"
        aria-label="Single Upload"
        noValidate
        onInput={(event) => setPreviewed(previewedFieldsOf(new FormData(event.currentTarget)))}
        onSubmit={onSubmit}
      >
        <FormFields
          problem={problem}
          action={problem?.hasPassed && <PublishNow onPublish={(form) => upload(form, 'now')} />}
        >
          <Field {...inputOf('title')} />
          <Field {...inputOf('description')} />
          <div className="field-row">
            <Select label={itemFields.type.label} name="type" choices={choicesOf(itemTypes)} />
            <Select
              label={itemFields.voice.label}
              name="voice"
              choices={choicesOf(narrators)}
              defaultValue="rachel"
            />
            <MinutesField range={premiumMinutes} />
          </div>
          <TextArea {...inputOf('content')} />
          <TextArea {...inputOf('excerpt')} look="short" />
          <CategoryToggles chosen={chosen} onChange={setChosen} />
          <div className="field-row">
            <MoreFields />
          </div>
          <Field {...inputOf('publishedAt')} type="datetime-local" />
          <SwitchRow
            title="Generate audio"
            words="Narrated in the background; the item appears first."
            name="generateAudio"
            defaultChecked
          />
          <YesNoFields />
        </FormFields>
        <div className="btn-row">
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isValid}>
            {isBusy ? 'Uploading...' : 'Upload'}
          </Button>
          <Button kind="ghost" type="submit" name="as" value="draft" isBusy={isBusy} disabled={!isValid}>
            Save as a draft
          </Button>
        </div>
      </form>
      <UploadPreview fields={previewed} categories={chosen} />
    </div>
  )
}

/** Reads the request body from the form. Dates are in the operator's zone. */
function fieldsOf(form: FormData, as: SaveMode): PremiumDraft {
  const isDraft = as === 'draft'
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const appears = as !== 'now' && text('publishedAt') ? new Date(text('publishedAt')) : null
  return {
    ...readInputs(form),
    type: itemTypes.find((each) => each === text('type')),
    voice: text('voice'),
    generateAudio: form.has('generateAudio') && !isDraft,
    status: isDraft ? 'draft' : appears ? 'scheduled' : 'published',
    ...(appears && { publishedAt: appears.toISOString() }),
  }
}
