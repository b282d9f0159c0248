import { useState } from 'react'
import type { UploadItem } from '#islands/library/imported-items'
import {
  categories,
  durationMinutesDefault,
  premiumMinutes,
  titleCharactersMax,
  voices,
} from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { shorten } from '#src/text/shorten'
import { Button } from '#src/ui/button'
import { useElementId } from '#src/ui/element-id'
import { Icon } from '#src/ui/icon'
import { TextArea } from '#src/ui/text-area'

/** A row of the bulk list: the fields that differ from row to row, and the text in a collapsed section. */
export function UploadRow({
  number,
  item,
  onChange,
  onRemove,
}: {
  number: number
  item: UploadItem
  onChange: (changed: Partial<UploadItem>) => void
  onRemove: () => void
}) {
  const problemId = useElementId()
  // Decided once, because the first letter would close the section, which then loses the focus.
  const [isOpenAtFirst] = useState(item.content === '')
  const className = ['upload-row', item.problem && 'is-problem', item.state === 'done' && 'is-done']
  return (
    <li className={className.filter(Boolean).join(' ')}>
      <span className="num">{number}</span>
      <input
        className="input"
        dir="auto"
        aria-label={`Title of item ${number}`}
        placeholder="Title"
        value={item.title}
        maxLength={titleCharactersMax}
        aria-invalid={item.problem && !item.title ? true : undefined}
        aria-describedby={item.problem ? problemId : undefined}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <Choice
        label={`Voice of item ${number}`}
        values={voices}
        value={item.voice}
        onChange={(voice) => onChange({ voice })}
      />
      <Choice
        label={`Category of item ${number}`}
        values={categories}
        value={item.categories[0] ?? 'romantic'}
        onChange={(category) => onChange({ categories: [category, ...item.categories.slice(1)] })}
      />
      <input
        className="input"
        type="number"
        aria-label={`Minutes of item ${number}`}
        min={premiumMinutes.min}
        max={premiumMinutes.max}
        // Not its `value`, which would put the default back into a field that is emptied to type another number.
        defaultValue={item.duration}
        onChange={(event) => onChange({ duration: event.target.valueAsNumber || durationMinutesDefault })}
      />
      <div className="upload-state">
        <span className="meta">{stateWords[item.state]}</span>
      </div>
      <button className="icon-btn" type="button" aria-label={`Remove item ${number}`} onClick={onRemove}>
        <Icon name="i-lucide-trash" />
      </button>
      <details className="fix" open={isOpenAtFirst}>
        <summary className="meta">{item.content ? `${shorten(item.content, 80)}…` : 'Content'}</summary>
        <TextArea
          label={`Content of item ${number}`}
          value={item.content}
          onChange={(event) => onChange({ content: event.target.value })}
        />
      </details>
      {item.problem && (
        <p className="fix" id={problemId}>
          <Icon name="i-lucide-sm-triangle-alert" />
          <span>{item.problem}</span>
        </p>
      )}
    </li>
  )
}

const stateWords: Record<UploadItem['state'], string> = {
  waiting: 'Waiting',
  done: 'Uploaded',
  failed: 'Not uploaded',
}

function Choice<Value extends string>({
  label,
  values,
  value,
  onChange,
}: {
  label: string
  values: readonly Value[]
  value: string
  onChange: (value: Value) => void
}) {
  return (
    <span className="select-box">
      <select
        className="select"
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = values.find((each) => each === event.target.value)
          if (chosen !== undefined) onChange(chosen)
        }}
      >
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <Icon name="i-lucide-sm-chevron-down" />
    </span>
  )
}

/** Progress bar of the items that the server has accepted. */
export function UploadBar({
  count,
  progress,
  onUpload,
  onStop,
}: {
  count: number
  progress: { done: number; total: number } | null
  onUpload: () => void
  onStop: () => void
}) {
  if (count === 0 && !progress) return null
  return (
    <div className={progress ? 'apply-bar apply-bar-running' : 'apply-bar'}>
      <p aria-live="polite">
        {progress ? (
          <b>
            {progress.done} of {progress.total} uploaded.
          </b>
        ) : (
          <>
            <b>{pluralize(count, 'item')}</b>{' '}
            <span className="meta apply-more">Nothing is uploaded until you press Upload All.</span>
          </>
        )}
      </p>
      {progress && (
        <>
          <progress
            className="meter meter-lg"
            value={progress.done}
            max={progress.total}
            aria-label={`${progress.done} of ${pluralize(progress.total, 'item')} uploaded`}
          />
          <Button onClick={onStop}>Stop</Button>
        </>
      )}
      <Button kind="primary" isBusy={progress !== null} onClick={onUpload}>
        Upload All
      </Button>
    </div>
  )
}
