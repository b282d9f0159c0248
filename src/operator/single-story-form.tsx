import type { FormEventHandler } from 'react'
import { consoleUrls } from '#src/console-urls'
import type { TypedStory } from '#src/story/draft-schema'
import {
  categories,
  durationMinutesDefault,
  singleStoryMinutes,
  titleCharactersMax,
  voices,
} from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { choicesOf, Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'

/** Why a story without a title or without a text is refused. */
export const fillInBoth = 'Please fill in title and content.'

/** The form "Add Single Story". It posts without a script; the island sends it without leaving the page. */
export function SingleStoryForm({
  isDisabled,
  isBusy,
  typed = {},
  problem,
  onInput,
  onSubmit,
}: {
  isDisabled?: boolean
  isBusy?: boolean
  typed?: TypedStory
  problem?: FormError | null
  onInput?: FormEventHandler<HTMLFormElement>
  onSubmit?: FormEventHandler<HTMLFormElement>
}) {
  return (
    <form
      className="stack"
      action={consoleUrls.adminStory()}
      method="post"
      onInput={onInput}
      onSubmit={onSubmit}
      noValidate
    >
      <FormFields problem={problem}>
        <Field
          label="Title"
          name="title"
          maxLength={titleCharactersMax}
          required
          defaultValue={typed.title}
        />
        <Select
          label="Category"
          name="category"
          choices={choicesOf(categories)}
          defaultValue={typed.category ?? 'romantic'}
        />
        <div className="field-row">
          <Field
            label="Duration (minutes)"
            type="number"
            name="duration"
            min={singleStoryMinutes.min}
            max={singleStoryMinutes.max}
            defaultValue={typed.duration ?? durationMinutesDefault}
          />
          <Select
            label="Premium voice"
            name="voice"
            choices={choicesOf(voices)}
            defaultValue={typed.voice ?? 'female'}
          />
        </div>
        <TextArea label="Story content" name="content" required defaultValue={typed.content} />
      </FormFields>
      <Button isBlock type="submit" isBusy={isBusy} disabled={isDisabled}>
        {isBusy ? 'Creating...' : 'Create Story'}
      </Button>
      <p className="hint">Needs a title and content.</p>
    </form>
  )
}
