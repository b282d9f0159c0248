import { type FormEvent, type Ref, useRef, useState } from 'react'
import {
  itemWords,
  PreviewWords,
  previewIn,
  RuleQuestion,
  usePreview,
} from '#islands/guideline/guideline-preview'
import { useUnsaved } from '#islands/navigation/use-unsaved'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import {
  type RuleType,
  ruleDescriptionCharactersMax,
  ruleTypeDefault,
  ruleTypes,
  type Severity,
  severities,
  severityDefault,
} from '#src/guideline/rules'
import type { GuidelinePreview, ListedGuideline } from '#src/guideline/schema'
import { CategoryToggles } from '#src/story/category-chips'
import { categories as allCategories, type Category, knownCategories } from '#src/story/rules'
import { readList } from '#src/text/tidy-text'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'

/** The values of the form's fields. */
type Typed = {
  ruleType: RuleType
  severity: Severity
  description: string
  keywords: string[]
  allowed: string[]
}

type Confirmation = { confirm?: 'true' }

/**
 * Dialog to add a guideline or edit an existing one. It previews what the rule would hold while it is being written,
 * and asks for confirmation if that is a lot. Typed text stays when the server refuses the rule.
 */
export function GuidelineDialog({
  ref,
  rule,
  onSaved,
}: {
  ref: Ref<HTMLDialogElement>
  /** The rule to edit; null for a new one. */
  rule: ListedGuideline | null
  onSaved: (rule: ListedGuideline) => void
}) {
  return (
    <Dialog id="add-guideline" title={rule ? 'Edit Guideline' : 'Add Guideline'} ref={ref}>
      <GuidelineForm key={rule ? `${rule.id}${rule.version}` : 'new'} rule={rule} onSaved={onSaved} />
    </Dialog>
  )
}

function GuidelineForm({
  rule,
  onSaved,
}: {
  rule: ListedGuideline | null
  onSaved: (rule: ListedGuideline) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState<Typed | null>(null)
  useUnsaved(typed !== null)
  const [categories, setCategories] = useState(() => knownCategories(rule?.categories ?? []))
  const {
    save,
    problem,
    setProblem,
    question,
    setQuestion: setAsked,
    isBusy,
  } = useSave(rule, (saved) => {
    close()
    onSaved(saved)
  })
  const hasWords = typed !== null && typed.keywords.length > 0
  const preview = usePreview(
    hasWords ? { ...(rule && { ruleId: rule.id }), rule: { ...typed, categories } } : null,
  )
  const close = () => {
    setTyped(null)
    setCategories(knownCategories(rule?.categories ?? []))
    form.current?.reset()
    form.current?.closest('dialog')?.close()
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = readTyped(event.currentTarget)
    setTyped(given)
    if (given.keywords.length > 0) return void save({ ...given, categories }, {})
    setProblem({ field: 'keywords', message: keywordsRequired })
    emit('nocturne:toast', { kind: 'bad', title: 'Keywords required', description: keywordsRequired })
  }

  return (
    <>
      <form
        className="stack"
        ref={form}
        noValidate
        hidden={question !== null}
        onSubmit={submit}
        onInput={(event) => setTyped(readTyped(event.currentTarget))}
      >
        <FormFields problem={problem}>
          <GuidelineFields rule={rule} />
          <CategoryToggles
            chosen={categories}
            onChange={(chosen) => {
              setCategories(allCategories.filter((each) => chosen.includes(each)))
              if (form.current) setTyped(readTyped(form.current))
            }}
          />
          <p className="hint">Without a category, the rule applies everywhere.</p>
          {preview && <PreviewWords preview={preview} />}
        </FormFields>
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Saving...' : rule ? 'Save changes' : 'Add Guideline'}
          </Button>
        </div>
      </form>
      {question && typed && (
        <RuleQuestion
          preview={question}
          yes={`${rule ? 'Change' : 'Add'} it and hold ${itemWords(question.held)}`}
          isBusy={isBusy}
          onYes={() => void save({ ...typed, categories }, { confirm: 'true' })}
          onNo={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** Saves the rule. `question` is its preview if the server requires a confirmation. */
function useSave(rule: ListedGuideline | null, onSaved: (rule: ListedGuideline) => void) {
  const [question, setQuestion] = useState<GuidelinePreview | null>(null)
  const { isBusy, problem, setProblem, submit } = useSubmit({
    title: rule ? 'Failed to change guideline' : 'Failed to add guideline',
    otherwise: 'Please try again',
  })
  const save = (given: Typed & { categories: Category[] }, confirmation: Confirmation) =>
    submit(async () => {
      const saved = await saveRule(rule, given, confirmation).catch((error) => {
        const much = previewIn(error)
        setQuestion(much)
        if (!much) throw error
      })
      if (!saved) return
      setQuestion(null)
      onSaved(saved)
      const title = rule ? 'Content guideline changed' : 'Content guideline added'
      emit('nocturne:toast', { title, description: 'It applies from now on' })
    })
  return { save, problem, setProblem, question, setQuestion, isBusy }
}

function GuidelineFields({ rule }: { rule: ListedGuideline | null }) {
  return (
    <>
      <div className="field-row">
        <Select
          label="Rule type"
          name="ruleType"
          choices={ruleTypes}
          defaultValue={rule?.ruleType ?? ruleTypeDefault}
        />
        <Select
          label="Severity"
          name="severity"
          choices={severities}
          defaultValue={rule?.severity ?? severityDefault}
        />
      </div>
      <Field
        label="Keywords or phrases"
        name="keywords"
        required
        hint="Separated by commas. Whole words only; look-alikes and spacing tricks are caught."
        defaultValue={rule?.keywords.join(', ')}
      />
      <Field
        label="Allowed phrases"
        name="allowed"
        hint="Within these, the keywords do not count."
        defaultValue={rule?.allowed.join(', ')}
      />
      <TextArea
        label="Description"
        name="description"
        look="short"
        maxLength={ruleDescriptionCharactersMax}
        placeholder="Shown to the writer, so say how to fix it"
        defaultValue={rule?.description}
      />
    </>
  )
}

const keywordsRequired = 'Please enter at least one keyword or phrase.'

function readTyped(form: HTMLFormElement): Typed {
  const given = new FormData(form)
  const text = (name: string) => String(given.get(name) ?? '').trim()
  return {
    ruleType: ruleTypes.find((each) => each === text('ruleType')) ?? ruleTypeDefault,
    severity: severities.find((each) => each === text('severity')) ?? severityDefault,
    description: text('description'),
    keywords: readList(text('keywords')),
    allowed: readList(text('allowed')),
  }
}

function saveRule(
  rule: ListedGuideline | null,
  fields: Typed & { categories: Category[] },
  query: Confirmation,
): Promise<ListedGuideline> {
  return rule
    ? operatorApi('PATCH /api/content-guidelines/:id', {
        path: { id: rule.id },
        query,
        body: fields,
        ifMatch: rule.updatedAt,
      })
    : operatorApi('POST /api/content-guidelines', { query, body: { ...fields, isActive: true } })
}
