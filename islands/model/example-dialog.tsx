import { type FormEvent, type Ref, useRef, useState } from 'react'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { notesCharactersMax, outputCharactersMax, promptCharactersMax } from '#src/example/rules'
import type { ShownExample } from '#src/example/schema'
import { CategoryToggles } from '#src/story/category-chips'
import { type Category, excerptCharactersMax, preview } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { FormFields } from '#src/ui/form-fields'
import { TextArea } from '#src/ui/text-area'

/** Dialog to add a training example; prompt and output are required. Typed text stays when the server refuses it. */
export function ExampleDialog({
  ref,
  onAdded,
}: {
  ref: Ref<HTMLDialogElement>
  onAdded: (example: ShownExample) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const [categories, setCategories] = useState<Category[]>([])
  const [isValid, setValid] = useState(false)
  const { isBusy, problem, submit } = useSubmit({
    title: 'Failed to add example',
    otherwise: 'Please try again',
  })
  const [isTyped, setTyped] = useState(false)
  useUnsaved(isTyped)
  const close = () => {
    form.current?.reset()
    setCategories([])
    setValid(false)
    setTyped(false)
    form.current?.closest('dialog')?.close()
  }

  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    void submit(async () => {
      const example = await operatorApi('POST /api/training-examples', {
        body: {
          inputPrompt: text('inputPrompt'),
          expectedOutput: text('expectedOutput'),
          categories,
          improvementNotes: text('improvementNotes'),
        },
      })
      onAdded({ ...example, expectedOutput: preview(example.expectedOutput, excerptCharactersMax) })
      close()
      emit('nocturne:toast', {
        title: 'Training example added',
        description: 'It counts once it is approved',
      })
    })
  }

  return (
    <Dialog id="add-example" title="Add Example" width="wide" ref={ref}>
      <form
        className="stack"
        ref={form}
        noValidate
        onInput={(event) => {
          const given = new FormData(event.currentTarget)
          setTyped(true)
          setValid(
            ['inputPrompt', 'expectedOutput'].every((name) => String(given.get(name) ?? '').trim() !== ''),
          )
        }}
        onSubmit={add}
      >
        <FormFields problem={problem}>
          <TextArea
            label="Input prompt"
            name="inputPrompt"
            look="short"
            maxLength={promptCharactersMax}
            required
          />
          <TextArea label="Expected output" name="expectedOutput" maxLength={outputCharactersMax} required />
          <CategoryToggles chosen={categories} onChange={setCategories} />
          <TextArea
            label="Improvement notes"
            name="improvementNotes"
            look="short"
            maxLength={notesCharactersMax}
          />
        </FormFields>
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isValid}>
            {isBusy ? 'Adding...' : 'Add Example'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
