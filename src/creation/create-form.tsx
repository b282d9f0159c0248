import { CircleAlert, ClipboardPaste, PenLine, WandSparkles } from 'lucide-react'
import type { FormEventHandler, ReactNode, Ref } from 'react'
import { type Narrator, narratorName, narrators } from '#src/narration/rules'
import { categories, categoryLabel, titleCharactersMax } from '#src/story/rules'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { narratorWords } from './rules'
import type { Hint } from './schema'

export type CreateKind = 'audio' | 'story'
export type Begin = 'write' | 'draft'
/** What stands in the form. */
export type Writing = { title: string; content: string; categories: readonly string[]; narrator: Narrator }
/** What is wrong, and with which field. */
export type Problem = { field: string | null; message: string }

/** The create screen's form (product.md §3 "Create"): it posts plainly, and an island adds the rest. */
export function CreateForm({
  kind,
  itemId,
  writing,
  wordCount,
  wordsMax,
  problem,
  hints,
  savedWords,
  begin,
  isReady,
  draftPanel,
  side,
  ref,
  onBegin,
  onPaste,
  onChange,
  onSubmit,
}: {
  kind: CreateKind
  /** Of an own item that is edited. */
  itemId?: string
  writing: Writing
  wordCount: number
  wordsMax: number
  problem: Problem | null
  hints: readonly Hint[]
  /** "Saved as a draft at 21:42" */
  savedWords: string | null
  begin: Begin
  /** A script has taken over. */
  isReady: boolean
  draftPanel: ReactNode
  side: ReactNode
  ref?: Ref<HTMLFormElement>
  onBegin: (begin: Begin) => void
  onPaste: () => void
  onChange: (changed: Partial<Writing>) => void
  onSubmit: FormEventHandler<HTMLFormElement>
}) {
  const of = (field: string) => (problem?.field?.startsWith(field) ? problem.message : null)
  const toggle = (category: string) =>
    onChange({
      categories: writing.categories.includes(category)
        ? writing.categories.filter((each) => each !== category)
        : [...writing.categories, category],
    })
  return (
    <form className="make" ref={ref} action={urls.create()} method="post" onSubmit={onSubmit} noValidate>
      <input type="hidden" name="kind" value={kind} />
      {itemId && <input type="hidden" name="edit" value={itemId} />}
      <div className="stack">
        {!itemId && <BeginSegment begin={begin} isReady={isReady} onBegin={onBegin} onPaste={onPaste} />}
        {begin === 'draft' && draftPanel}
        <div className={of('title') || of('content') ? 'paper paper-bad' : 'paper'}>
          <label className="visually-hidden" htmlFor="make-title">
            Title
          </label>
          <input
            className="paper-title"
            id="make-title"
            name="title"
            placeholder="Title"
            maxLength={titleCharactersMax}
            value={writing.title}
            onChange={(event) => onChange({ title: event.target.value })}
            aria-invalid={of('title') ? true : undefined}
            aria-describedby={of('title') ? 'make-title-problem' : undefined}
            required
          />
          <label className="visually-hidden" htmlFor="make-text">
            Text
          </label>
          <textarea
            className="paper-text"
            id="make-text"
            name="content"
            placeholder="Write, or paste a text"
            value={writing.content}
            onChange={(event) => onChange({ content: event.target.value })}
            aria-invalid={of('content') ? true : undefined}
            aria-describedby={of('content') ? 'make-text-problem' : 'make-words'}
            required
          />
          <div className="paper-foot">
            <span id="make-words">
              {wordCount.toLocaleString('en')} of {wordsMax.toLocaleString('en')} words
            </span>
            {savedWords && <span>{savedWords}</span>}
          </div>
        </div>
        <FieldProblem id="make-title-problem" message={of('title')} />
        <FieldProblem id="make-text-problem" message={of('content')} />
        {wordCount > wordsMax && (
          <Notice kind="warn">
            This is {(wordCount - wordsMax).toLocaleString('en')} words too long. Make two parts of it.
          </Notice>
        )}
        {hints.map((hint) => (
          <Notice key={hint.message} kind={hint.kind === 'change' ? 'warn' : 'info'}>
            <b>{hintTitles[hint.kind]}</b> {hint.message}
          </Notice>
        ))}
        {problem && !['title', 'content', 'categories', 'voice', 'prompt'].some(of) && (
          <Notice kind="bad">{problem.message}</Notice>
        )}
        <fieldset>
          <legend className="label">Categories</legend>
          <div className="chips chips-wrap">
            {categories.map((category) => (
              <label key={category} className="chip">
                <input
                  type="checkbox"
                  name="categories"
                  value={category}
                  checked={writing.categories.includes(category)}
                  onChange={() => toggle(category)}
                />
                {categoryLabel(category)}
              </label>
            ))}
          </div>
          <FieldProblem id="make-categories-problem" message={of('categories')} />
        </fieldset>
        {kind === 'audio' ? (
          <NarratorPicks narrator={writing.narrator} onPick={(narrator) => onChange({ narrator })} />
        ) : (
          <input type="hidden" name="voice" value={writing.narrator} />
        )}
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
        <Icon of={PenLine} size="sm" />
        Write
      </button>
      <button type="button" disabled={!isReady} aria-pressed={false} onClick={onPaste}>
        <Icon of={ClipboardPaste} size="sm" />
        Paste
      </button>
      <button
        type="button"
        disabled={!isReady}
        aria-pressed={begin === 'draft'}
        onClick={() => onBegin('draft')}
      >
        <Icon of={WandSparkles} size="sm" />
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

function FieldProblem({ id, message }: { id: string; message: string | null }) {
  if (!message) return null
  return (
    <span className="hint hint-bad" id={id} role="alert">
      <Icon of={CircleAlert} size="sm" />
      {message}
    </span>
  )
}
