import type { FormEventHandler, ReactNode, Ref } from 'react'
import { AppearingNotice } from '#islands/site/appearing-notice'
import { type Narrator, narratorName, narrators } from '#src/narration/rules'
import { categories, categoryLabel } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { FieldNote } from '#src/ui/field-note'
import { type FormError, useFieldProblem } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { Paper } from './paper'
import { narratorWords, type Writing } from './rules'
import type { Hint } from './schema'

export type CreateKind = 'audio' | 'story'
export type Begin = 'write' | 'draft'
/** An own item that is being edited, and the version that was read: its `updatedAt`. */
export type Edited = { id: string; seen: string }

type CreateFormProps = {
  kind: CreateKind
  edited: Edited | null
  writing: Writing
  wordCount: number
  wordsMax: number
  problem: FormError | null
  hints: readonly Hint[]
  /** "Saved as a draft at 21:42, here until you sign out" */
  savedWords: string | null
  begin: Begin
  /** Whether the island is hydrated. */
  isReady: boolean
  isSaving: boolean
  draftPanel: ReactNode
  side: ReactNode
  ref?: Ref<HTMLFormElement>
  onBegin: (begin: Begin) => void
  onPaste: () => void
  onChange: (changed: Partial<Writing>) => void
  onSubmit: FormEventHandler<HTMLFormElement>
}

/** The form of the create screen (docs/behaviour/creating.md). It posts without a script; an island adds the rest. */
export function CreateForm(props: CreateFormProps) {
  const { kind, edited, writing, wordCount, wordsMax, problem, hints, savedWords, begin, isReady } = props
  const { isSaving, draftPanel, side, ref, onBegin, onPaste, onChange, onSubmit } = props
  return (
    <form
      className="make"
      ref={ref}
      action={urls.create()}
      method="post"
      onSubmit={onSubmit}
      noValidate
      data-draft=""
      // The island stores the whole draft for its author. Browsers would restore a part of the fields, as they were on
      // an earlier page, for anyone who presses Back.
      autoComplete={isReady ? 'off' : undefined}
    >
      <input type="hidden" name="kind" value={kind} />
      {edited && <input type="hidden" name="edit" value={edited.id} />}
      {edited && <input type="hidden" name="seen" value={edited.seen} />}
      <div className="stack">
        {!edited && <BeginSegment begin={begin} isReady={isReady} onBegin={onBegin} onPaste={onPaste} />}
        {begin === 'draft' && draftPanel}
        <FormFields problem={problem}>
          <Paper {...{ writing, wordCount, wordsMax, savedWords, isSaving, onChange }} />
          {wordCount > wordsMax && (
            <AppearingNotice
              kind="warn"
              words={`This is ${pluralize(wordCount - wordsMax, 'word')} too long. Split it into two parts.`}
            />
          )}
          {hints.map((hint) => (
            <AppearingNotice
              key={hint.message}
              kind={hint.kind === 'change' ? 'warn' : 'info'}
              words={`${hintTitles[hint.kind]} ${hint.message}`}
            >
              <b>{hintTitles[hint.kind]}</b> {hint.message}
            </AppearingNotice>
          ))}
          <CategoryPicks chosen={writing.categories} onChange={onChange} />
          {kind === 'audio' ? (
            <NarratorPicks narrator={writing.narrator} onPick={(narrator) => onChange({ narrator })} />
          ) : (
            <input type="hidden" name="voice" value={writing.narrator} />
          )}
        </FormFields>
      </div>
      {side}
    </form>
  )
}

const hintTitles = {
  change: 'This has to change:',
  review: 'An operator would look at this first:',
  look: 'Worth a second look:',
} as const

function CategoryPicks({
  chosen,
  onChange,
}: Pick<CreateFormProps, 'onChange'> & { chosen: readonly string[] }) {
  const problem = useFieldProblem('categories')
  const toggle = (category: string) =>
    onChange({
      categories: chosen.includes(category)
        ? chosen.filter((each) => each !== category)
        : [...chosen, category],
    })
  return (
    <fieldset>
      <legend className="label">Categories</legend>
      <div className="chips chips-wrap">
        {categories.map((category) => (
          <label key={category} className="chip">
            <input
              type="checkbox"
              name="categories"
              value={category}
              checked={chosen.includes(category)}
              onChange={() => toggle(category)}
            />
            {categoryLabel(category)}
          </label>
        ))}
      </div>
      {problem && (
        // No single category receives the focus for the error of all.
        <div role="alert">
          <FieldNote error={problem} />
        </div>
      )}
    </fieldset>
  )
}

function BeginSegment({
  begin,
  isReady,
  onBegin,
  onPaste,
}: {
  begin: Begin
  isReady: boolean
  onBegin: (begin: Begin) => void
  onPaste: () => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are buttons
    <div className="segment segment-wide" role="group" aria-label="How to begin">
      <button type="button" aria-pressed={begin === 'write'} onClick={() => onBegin('write')}>
        <Icon name="i-lucide-sm-pen-line" />
        Write
      </button>
      <button type="button" disabled={!isReady} aria-pressed={false} onClick={onPaste}>
        <Icon name="i-lucide-sm-clipboard-paste" />
        Paste
      </button>
      <button
        type="button"
        disabled={!isReady}
        aria-pressed={begin === 'draft'}
        onClick={() => onBegin('draft')}
      >
        <Icon name="i-lucide-sm-wand-sparkles" />
        Draft from a prompt
      </button>
    </div>
  )
}

function NarratorPicks({ narrator, onPick }: { narrator: Narrator; onPick: (narrator: Narrator) => void }) {
  return (
    <fieldset>
      <legend className="label">Narrator</legend>
      <div className="picks">
        {narrators.map((each) => (
          <div key={each} className="pick">
            <input
              type="radio"
              name="voice"
              id={`narrator-${each}`}
              value={each}
              checked={each === narrator}
              onChange={() => onPick(each)}
            />
            <label htmlFor={`narrator-${each}`}>
              <b>{narratorName(each)}</b>
              <span className="meta">{narratorWords[each]}</span>
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  )
}
