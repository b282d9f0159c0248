import { type FormEvent, useState } from 'react'
import { emit } from '#islands/events'
import { ItemAudio } from '#islands/item-audio'
import { failureWords, operatorCall } from '#islands/operator-call'
import { listOf } from '#islands/single-upload'
import { CategoryToggles } from '#src/story/category-chips'
import type { PremiumItem } from '#src/story/draft-schema'
import {
  descriptionCharactersMax,
  durationMinutesDefault,
  editMinutes,
  excerptFieldCharactersMax,
  titleCharactersMax,
  voices,
} from '#src/story/rules'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { Notice } from '#src/ui/notice'
import { Select } from '#src/ui/select'
import { SwitchRow } from '#src/ui/switch-row'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

const statusChoices = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft: nobody sees it' },
  { value: 'scheduled', label: 'Scheduled' },
]

/** The fields of one item; what was typed stays when the server refuses (operator.md §2, §8). */
export function ItemForm({
  item,
  onChanged,
  onCancel,
}: {
  item: PremiumItem
  /** The item as it is now; null once it is removed. */
  onChanged: (item: PremiumItem | null) => void
  onCancel: () => void
}) {
  const [title, setTitle] = useState(item.title)
  const [chosen, setChosen] = useState(item.categories)
  const [status, setStatus] = useState<string>(item.status)
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { ...fieldsOf(new FormData(event.currentTarget), item), categories: chosen }
    setBusy(true)
    setProblem(undefined)
    try {
      const changed = await operatorCall(urls.apiPremiumItem(item.id), { method: 'PUT', body })
      emit('nocturne:toast', { kind: 'good', title: 'Content updated', description: body.title })
      onChanged(changed as PremiumItem)
      onCancel()
    } catch (error) {
      const description = failureWords(error, 'Edit failed')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Update failed', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      <Field
        label="Title"
        name="title"
        maxLength={titleCharactersMax}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        required
      />
      <Field
        label="Description"
        name="description"
        maxLength={descriptionCharactersMax}
        defaultValue={item.description}
      />
      <TextArea
        label="Excerpt"
        name="excerpt"
        look="short"
        maxLength={excerptFieldCharactersMax}
        defaultValue={item.excerpt}
      />
      <div className="field-row">
        <Field
          label="Duration (minutes)"
          type="number"
          name="duration"
          min={editMinutes.min}
          max={editMinutes.max}
          defaultValue={item.duration}
          hint={`${editMinutes.min} to ${editMinutes.max}`}
        />
        <Select label="Voice" name="voice" choices={voices} defaultValue={item.voice} />
      </div>
      <CategoryToggles chosen={chosen} onChange={setChosen} />
      <Field label="Tags" name="tags" defaultValue={item.tags.join(', ')} />
      <Field label="Content notes" name="contentNotes" defaultValue={item.contentNotes.join(', ')} />
      <div className="field-row">
        <Select
          label="Visible"
          name="status"
          choices={
            item.status === 'held'
              ? [{ value: 'held', label: 'Held for review' }, ...statusChoices]
              : statusChoices
          }
          value={status}
          onChange={(event) => setStatus(event.target.value)}
        />
        {status === 'scheduled' && (
          <Field
            label="Appears"
            type="datetime-local"
            name="publishedAt"
            defaultValue={localMoment(item.publishedAt)}
            required
          />
        )}
      </div>
      <SwitchRow
        title="Free sample"
        words="Visitors may hear it without an account."
        name="isFree"
        defaultChecked={item.isFree}
      />
      <ItemAudio item={item} onChanged={onChanged} />
      <p className="meta">
        <a className="link" href={urls.feedback({ item: item.id })}>
          What members say of it
        </a>
      </p>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div className="btn-row btn-row-between">
        <RemoveButton item={item} onRemoved={() => onChanged(null)} />
        <span className="btn-row">
          <Button kind="ghost" onClick={onCancel}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" disabled={isBusy || title.trim() === ''}>
            {isBusy ? 'Saving...' : 'Save changes'}
          </Button>
        </span>
      </div>
    </form>
  )
}

/** What can be undone is not asked about: the toast says how to bring it back. */
function RemoveButton({ item, onRemoved }: { item: PremiumItem; onRemoved: () => void }) {
  const isRemoved = item.status === 'removed'
  const act = async () => {
    try {
      if (isRemoved) await operatorCall(urls.apiPremiumRestore(item.id), { method: 'POST', body: {} })
      else await operatorCall(urls.apiPremiumItem(item.id), { method: 'DELETE' })
      emit('nocturne:toast', {
        kind: 'good',
        title: isRemoved ? 'Content restored' : 'Content removed',
        description: isRemoved ? item.title : `${item.title}. It is under “Removed”, to be restored.`,
      })
      onRemoved()
    } catch (error) {
      const description = failureWords(error, 'Please try again.')
      emit('nocturne:toast', { kind: 'bad', title: 'Update failed', description })
    }
  }
  return (
    <Button kind={isRemoved ? 'quiet' : 'danger'} onClick={act}>
      {isRemoved ? 'Restore' : 'Remove'}
    </Button>
  )
}

function fieldsOf(form: FormData, item: PremiumItem) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const minutes = Number.parseInt(text('duration'), 10)
  const status = text('status')
  return {
    title: text('title'),
    description: text('description'),
    excerpt: text('excerpt'),
    duration: Number.isNaN(minutes) ? durationMinutesDefault : minutes,
    ...(text('voice') !== item.voice && { voice: text('voice') }),
    tags: text('tags'),
    contentNotes: listOf(text('contentNotes')),
    isFree: form.has('isFree'),
    ...(status !== item.status && status !== 'held' && { status }),
    ...(status === 'scheduled' &&
      text('publishedAt') && { publishedAt: new Date(text('publishedAt')).toISOString() }),
  }
}

/** "2026-11-27T20:00" in the operator's zone, as the field wants it. */
function localMoment(iso: string): string {
  const moment = new Date(iso)
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
