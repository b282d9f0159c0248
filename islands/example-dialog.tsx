import { type FormEvent, type Ref, useRef, useState } from 'react'
import { emit } from '#islands/events'
import type { ShownExample } from '#islands/example-list'
import { failureWords, operatorCall } from '#islands/operator-call'
import { giveToastsBack } from '#islands/toasts-in-dialog'
import { notesCharactersMax, outputCharactersMax, promptCharactersMax } from '#src/example/rules'
import { CategoryToggles } from '#src/story/category-chips'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

/** "Add Example" (operator.md §5): prompt and output are required. What was typed stays when it is refused. */
export function ExampleDialog({
  ref,
  onAdded,
}: {
  ref: Ref<HTMLDialogElement>
  onAdded: (example: ShownExample) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const [categories, setCategories] = useState<string[]>([])
  const [isValid, setValid] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const close = () => form.current?.closest('dialog')?.close()

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    const given = new FormData(fields)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    setBusy(true)
    setProblem(undefined)
    try {
      const answer = await operatorCall(urls.apiExamples(), {
        method: 'POST',
        body: {
          inputPrompt: text('inputPrompt'),
          expectedOutput: text('expectedOutput'),
          categories,
          improvementNotes: text('improvementNotes'),
        },
      })
      const example = answer as ShownExample
      onAdded({ ...example, expectedOutput: preview(example.expectedOutput, excerptCharactersMax) })
      fields.reset()
      setCategories([])
      setValid(false)
      close()
      emit('nocturne:toast', {
        title: 'Training example added',
        description: 'It counts once it is approved',
      })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Failed to add example', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog id="add-example" title="Add Example" width="wide" ref={ref} onClose={giveToastsBack}>
      <form
        className="stack"
        ref={form}
        noValidate
        onInput={(event) => {
          const given = new FormData(event.currentTarget)
          setValid(
            ['inputPrompt', 'expectedOutput'].every((name) => String(given.get(name) ?? '').trim() !== ''),
          )
        }}
        onSubmit={add}
      >
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
        {problem && <Notice kind="bad">{problem}</Notice>}
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" disabled={!isValid || isBusy}>
            {isBusy ? 'Adding...' : 'Add Example'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
