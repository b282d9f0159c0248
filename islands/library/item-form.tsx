import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { ItemAudio } from '#islands/library/item-audio'
import { PublishNow } from '#islands/library/publish-now'
import { saveItem } from '#islands/library/save-item'
import { withWarnings } from '#islands/library/with-warnings'
import { showUnspoken } from '#islands/narration/show-unspoken'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { consoleUrls } from '#src/console-urls'
import { differing } from '#src/shape/pick'
import { CategoryToggles } from '#src/story/category-chips'
import type { PremiumItem } from '#src/story/draft-schema'
import { itemFields } from '#src/story/fields'
import { inputOf, MinutesField, MoreFields, readInputs, YesNoFields } from '#src/story/item-inputs'
import { editMinutes, knownCategories, type Status, statuses, voices } from '#src/story/rules'
import { dot } from '#src/text/join-facts'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { Notice } from '#src/ui/notice'
import { choicesOf, Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'

const statusChoices = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft: nobody sees it' },
  { value: 'scheduled', label: 'Scheduled' },
]

/** Statuses that the form shows but cannot set. */
const otherStatuses: Partial<Record<Status, string>> = { held: 'Held for review', removed: 'Removed' }

/** The fields of one item. Typed text stays when the server refuses it. */
export function ItemForm({
  item,
  onChanged,
  onDone,
  onCancel,
}: {
  item: PremiumItem
  /** Receives the item after its audio was changed. */
  onChanged: (item: PremiumItem) => void
  /** Called when the item was saved, removed or restored. */
  onDone: () => void
  onCancel: () => void
}) {
  const [title, setTitle] = useState(item.title)
  const [chosen, setChosen] = useState(() => knownCategories(item.categories))
  const [status, setStatus] = useState<string>(item.status)
  const isRemoved = item.status === 'removed'
  const form = useRef<HTMLFormElement>(null)
  const opened = useOpened(item, form)
  const { isBusy, problem, setProblem, submit } = useSubmit({
    title: 'Update failed',
    otherwise: 'Edit failed',
  })

  const save = (fields: FormData) => {
    const before = { ...fieldsOf(opened.form), categories: knownCategories(opened.item.categories) }
    const body = {
      ...differing({ ...fieldsOf(fields), categories: chosen }, before),
      ...appearanceOf(fields, opened.item),
    }
    if (status === 'scheduled' && body.status !== 'published' && !body.publishedAt)
      return setProblem({ field: 'publishedAt', message: 'Choose when it appears.' })
    void submit(async () => {
      const changed = await saveItem(opened.item, body)
      emit('nocturne:toast', {
        kind: 'good',
        title: 'Content updated',
        description: withWarnings(changed.title, changed.warnings),
      })
      if ('content' in body) await showUnspoken(changed)
      onDone()
    })
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save(new FormData(event.currentTarget))
  }
  const publishNow = (form: HTMLFormElement) => {
    const fields = new FormData(form)
    fields.set('status', 'published')
    save(fields)
  }

  return (
    <form ref={form} className="stack" onSubmit={onSubmit} noValidate>
      {isRemoved && <Notice>It is removed: nobody sees it. Restore it to change it.</Notice>}
      <FormFields problem={problem} action={problem?.hasPassed && <PublishNow onPublish={publishNow} />}>
        <fieldset className="stack" disabled={isRemoved}>
          <Field {...inputOf('title')} value={title} onChange={(event) => setTitle(event.target.value)} />
          <Field {...inputOf('description', item)} />
          <TextArea {...inputOf('excerpt', item)} look="short" />
          <TextArea {...inputOf('content', item)} />
          <div className="field-row">
            <MinutesField range={editMinutes} item={item} />
            <Select
              label={itemFields.voice.label}
              name="voice"
              choices={choicesOf(voices)}
              defaultValue={item.voice}
            />
          </div>
          <CategoryToggles chosen={chosen} onChange={setChosen} />
          <MoreFields item={item} />
          <StatusFields item={item} status={status} onStatus={setStatus} />
          <YesNoFields item={item} />
          <ItemAudio item={item} onChanged={onChanged} />
        </fieldset>
      </FormFields>
      <ItemLinks id={item.id} />
      <div className="btn-row btn-row-between">
        <RemoveButton item={item} onRemoved={onDone} />
        <span className="btn-row">
          <Button kind="ghost" onClick={onCancel}>
            Cancel
          </Button>
          {!isRemoved && (
            <Button kind="primary" type="submit" isBusy={isBusy} disabled={title.trim() === ''}>
              {isBusy ? 'Saving...' : 'Save changes'}
            </Button>
          )}
        </span>
      </div>
    </form>
  )
}

/** The item's status, and the time of its publication. */
function StatusFields({
  item,
  status,
  onStatus,
}: {
  item: PremiumItem
  status: string
  onStatus: (status: string) => void
}) {
  return (
    <div className="field-row">
      <Select
        label={itemFields.status.label}
        name="status"
        choices={choicesFrom(item.status)}
        value={status}
        onChange={(event) => onStatus(event.target.value)}
      />
      {status === 'scheduled' && (
        <Field
          {...inputOf('publishedAt', item)}
          type="datetime-local"
          defaultValue={timeToCome(item)}
          required
        />
      )}
    </div>
  )
}

function ItemLinks({ id }: { id: string }) {
  return (
    <p className="meta">
      <a className="link" href={consoleUrls.feedback({ item: id })}>
        What members say about it
      </a>
      {dot}
      <a className="link" href={urls.analytics({ tab: 'content', item: id })}>
        Where people stop
      </a>
    </p>
  )
}

function choicesFrom(status: Status) {
  const label = otherStatuses[status]
  return label ? [{ value: status, label }, ...statusChoices] : statusChoices
}

/**
 * Removes an item, or restores a removed one. It can be undone, so it needs no confirmation: the toast explains how.
 */
function RemoveButton({ item, onRemoved }: { item: PremiumItem; onRemoved: () => void }) {
  const isRemoved = item.status === 'removed'
  const path = { id: item.id }
  const { submit } = useSubmit({ title: 'Update failed', otherwise: 'Please try again.' })
  const act = () =>
    submit(async () => {
      if (isRemoved) await operatorApi('POST /api/premium-content/:id/restore', { path })
      else await operatorApi('DELETE /api/premium-content/:id', { path })
      emit('nocturne:toast', {
        kind: 'good',
        title: isRemoved ? 'Content restored' : 'Content removed',
        description: isRemoved ? item.title : `${item.title}. Restore it under “Removed”.`,
      })
      onRemoved()
    })
  return (
    <Button kind={isRemoved ? 'quiet' : 'danger'} onClick={act}>
      {isRemoved ? 'Restore' : 'Remove'}
    </Button>
  )
}

/** The item and the form as they were opened. The difference at the end is what was changed here. */
function useOpened(item: PremiumItem, form: RefObject<HTMLFormElement | null>) {
  const [opened] = useState({ item, form: new FormData() })
  useEffect(() => {
    if (form.current) opened.form = new FormData(form.current)
  }, [opened, form])
  return opened
}

function fieldsOf(form: FormData) {
  return { ...readInputs(form), voice: String(form.get('voice') ?? '') }
}

function appearanceOf(form: FormData, item: PremiumItem) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const status = statuses.find((each) => each === text('status'))
  return {
    ...(status !== item.status && status !== 'held' && status !== 'removed' && { status }),
    ...(status === 'scheduled' &&
      text('publishedAt') && { publishedAt: new Date(text('publishedAt')).toISOString() }),
  }
}

/** Returns when an item is to be published, in the format of the field; empty if that time has passed. */
function timeToCome({ status, publishedAt }: PremiumItem): string {
  return status === 'scheduled' || Date.parse(publishedAt) > Date.now() ? localMoment(publishedAt) : ''
}

/** Formats a time in the operator's zone, as the field needs it: "2026-11-27T20:00". */
function localMoment(iso: string): string {
  const date = new Date(iso)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
