import { type FormEvent, type Ref, useRef, useState } from 'react'
import { emit } from '#islands/events'
import type { Rule } from '#islands/guideline-list'
import { failureWords, operatorCall } from '#islands/operator-call'
import { listOf } from '#islands/single-upload'
import { giveToastsBack } from '#islands/toasts-in-dialog'
import {
  ruleDescriptionCharactersMax,
  ruleTypeDefault,
  ruleTypes,
  severities,
  severityDefault,
} from '#src/guideline/rules'
import { CategoryToggles } from '#src/story/category-chips'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Field } from '#src/ui/field'
import { Notice } from '#src/ui/notice'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

/** "Add Guideline" (operator.md §5). What was typed stays when it is refused. */
export function GuidelineDialog({
  ref,
  onAdded,
}: {
  ref: Ref<HTMLDialogElement>
  onAdded: (rule: Rule) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const [categories, setCategories] = useState<string[]>([])
  const [keywordsProblem, setKeywordsProblem] = useState<string | undefined>()
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const close = () => form.current?.closest('dialog')?.close()

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    const given = new FormData(fields)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    const keywords = listOf(text('keywords'))
    setProblem(undefined)
    setKeywordsProblem(undefined)
    if (keywords.length === 0) {
      setKeywordsProblem('Please enter at least one keyword or phrase.')
      return void emit('nocturne:toast', {
        kind: 'bad',
        title: 'Keywords required',
        description: 'Please enter at least one keyword or phrase.',
      })
    }
    setBusy(true)
    try {
      const rule = await operatorCall(urls.apiGuidelines(), {
        method: 'POST',
        body: {
          ruleType: text('ruleType'),
          severity: text('severity'),
          description: text('description'),
          keywords,
          categories,
          isActive: true,
        },
      })
      onAdded(rule as Rule)
      fields.reset()
      setCategories([])
      close()
      emit('nocturne:toast', { title: 'Content guideline added', description: 'It applies from now on' })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Failed to add guideline', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog id="add-guideline" title="Add Guideline" ref={ref} onClose={giveToastsBack}>
      <form className="stack" ref={form} noValidate onSubmit={add}>
        <div className="field-row">
          <Select label="Rule type" name="ruleType" choices={ruleTypes} defaultValue={ruleTypeDefault} />
          <Select label="Severity" name="severity" choices={severities} defaultValue={severityDefault} />
        </div>
        <Field
          label="Keywords or phrases"
          name="keywords"
          required
          error={keywordsProblem}
          hint="Commas between them. Whole words only; look-alikes and spacing tricks are caught."
        />
        <TextArea
          label="Description"
          name="description"
          look="short"
          maxLength={ruleDescriptionCharactersMax}
          placeholder="Shown to the writer, so write the mend"
        />
        <CategoryToggles chosen={categories} onChange={setCategories} />
        <p className="hint">Without a category, the rule holds everywhere.</p>
        {problem && <Notice kind="bad">{problem}</Notice>}
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" disabled={isBusy}>
            {isBusy ? 'Adding...' : 'Add Guideline'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
