import { titleCharactersMax } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { FieldNote } from '#src/ui/field-note'
import { markRefused, useFieldProblem } from '#src/ui/field-problem'

type PaperProps = {
  writing: { title: string; content: string }
  wordCount: number
  wordsMax: number
  savedWords: string | null
  /** Whether the text is being saved. What is typed meanwhile would not be saved with it. */
  isSaving: boolean
  onChange: (changed: { title?: string; content?: string }) => void
}

/** The fields for title and text, with the number of words. */
export function Paper({ writing, wordCount, wordsMax, savedWords, isSaving, onChange }: PaperProps) {
  const titleProblem = useFieldProblem('title')
  const textProblem = useFieldProblem('content')
  return (
    <>
      <div className={titleProblem || textProblem ? 'paper paper-bad' : 'paper'}>
        <label className="visually-hidden" htmlFor="make-title">
          Title
        </label>
        <input
          className="paper-title"
          dir="auto"
          id="make-title"
          name="title"
          placeholder="Title"
          maxLength={titleCharactersMax}
          value={writing.title}
          readOnly={isSaving}
          onChange={(event) => onChange({ title: event.target.value })}
          {...markRefused(titleProblem)}
          aria-describedby={titleProblem ? 'make-title-problem' : undefined}
          required
        />
        <label className="visually-hidden" htmlFor="make-text">
          Text
        </label>
        <textarea
          className="paper-text"
          dir="auto"
          id="make-text"
          name="content"
          placeholder="Write, or paste a text"
          value={writing.content}
          readOnly={isSaving}
          onChange={(event) => onChange({ content: event.target.value })}
          {...markRefused(textProblem)}
          aria-describedby={textProblem ? 'make-text-problem' : 'make-words'}
          required
        />
        <div className="paper-foot">
          <span id="make-words">
            {wordCount.toLocaleString('en')} of {pluralize(wordsMax, 'word')}
          </span>
          {savedWords && <span>{savedWords}</span>}
        </div>
      </div>
      <FieldNote id="make-title-problem" error={titleProblem} />
      <FieldNote id="make-text-problem" error={textProblem} />
    </>
  )
}
