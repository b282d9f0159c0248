import { useRef } from 'react'
import { copyLink } from '#islands/listening/share-item'
import { useNarration } from '#islands/narration/use-narration'
import { reload } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import type { ItemType } from '#src/story/rules'
import { Button, ButtonLink } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { OwnState } from '#src/user-story/rules'
import type { UserContentItem } from '#src/user-story/schema'

export type OwnProps = {
  id: string
  type: ItemType
  slug: string
  title: string
  state: OwnState
  narration: UserContentItem['narration']
  reviewNote: string | null
}

/** The state of the member's own item, and the author's actions on it. */
export function OwnControls({ hasAudio, ...item }: OwnProps & { hasAudio: boolean }) {
  const { id, title, state } = item
  const { isBusy, act } = useActions(id, title)
  const sharing = useRef<HTMLDialogElement>(null)
  const deleting = useRef<HTMLDialogElement>(null)
  const job = useNarration(id, title, item.narration)
  const isNarrating = job?.state === 'queued' || job?.state === 'running'
  const narrateWords = job?.state === 'failed' ? 'Try Again' : hasAudio ? 'Narrate again' : 'Narrate'

  const button = (label: string) => ({ size: 'sm', isBusy, 'aria-label': label }) as const
  // Controls that replace each other share an id, so that the replacement gets the focus.
  const [narrateId, shareId] = [`narrate-${id}`, `share-${id}`]

  return (
    <div className="own-state">
      {isNarrating && <NarrationProgress title={title} job={job} />}
      {job?.state === 'failed' && !hasAudio && (
        <Notice kind="bad">This could not be narrated. Your text is safe, and trying again is free.</Notice>
      )}
      <StateNotice state={state} reviewNote={item.reviewNote} />
      <div className="btn-row">
        {state !== 'refused' && (
          <ButtonLink size="sm" href={urls.create({ edit: id })} aria-label={`Edit ${title}`}>
            <Icon name="i-lucide-sm-pen-line" />
            Edit
          </ButtonLink>
        )}
        {isNarrating && (
          <Button
            {...button(`Cancel the narration of ${title}`)}
            id={narrateId}
            onClick={act.cancelNarration}
          >
            Cancel
          </Button>
        )}
        {!isNarrating && state !== 'held' && state !== 'refused' && (
          <Button {...button(`${narrateWords}: ${title}`)} id={narrateId} onClick={act.narrate}>
            <Icon name={job?.state === 'failed' ? 'i-lucide-sm-rotate-cw' : 'i-lucide-sm-audio-lines'} />
            {narrateWords}
          </Button>
        )}
        {state === 'shared' && <CopyLink {...item} />}
        {state === 'private' && (
          <Button
            {...button(`Share with others: ${title}`)}
            id={shareId}
            onClick={() => showDialog(sharing.current)}
          >
            <Icon name="i-lucide-sm-share-2" />
            Share with others
          </Button>
        )}
        {(state === 'shared' || state === 'waiting') && (
          <Button {...button(`Make private: ${title}`)} id={shareId} onClick={act.makePrivate}>
            Make private
          </Button>
        )}
        <Button {...button(`Delete ${title}`)} kind="ghost" onClick={() => showDialog(deleting.current)}>
          <Icon name="i-lucide-sm-trash" />
          Delete
        </Button>
      </div>
      <Question
        id={`share-question-${id}`}
        ref={sharing}
        title={`Share “${title}”?`}
        words="An operator reads it first. Once approved, anyone with the link can open it."
        no="Keep it private"
      >
        <Button kind="primary" type="submit" onClick={act.share}>
          Send it for review
        </Button>
      </Question>
      <Question
        id={`delete-${id}`}
        ref={deleting}
        title={`Delete “${title}”?`}
        words="It is deleted for good, with its narration."
        no="Keep it"
      >
        <Button kind="danger" type="submit" onClick={act.remove}>
          Delete it
        </Button>
      </Question>
    </div>
  )
}

function CopyLink({ id, type, slug, title }: OwnProps) {
  const url = () => new URL(urls.item({ type, slug }), location.href).href
  return (
    <Button
      size="sm"
      aria-label={`Copy link: ${title}`}
      onClick={() => void copyLink({ id, type, title, url: url() })}
    >
      <Icon name="i-lucide-sm-link" />
      Copy link
    </Button>
  )
}

/**
 * The requests that change an own item. Each shows its outcome in a toast, and the page then shows the changed item.
 */
function useActions(id: string, title: string) {
  const { isBusy, submit } = useSubmit({ title: 'That did not work' })
  const path = { id }
  const act = (call: () => Promise<unknown>, done: string, description = title) =>
    void submit(async () => {
      await call()
      emit('nocturne:toast', { kind: 'good', title: done, description })
      await reload()
    })
  return {
    isBusy,
    act: {
      narrate: () =>
        act(() => api('POST /api/user/content/:id/narrate', { path, body: {} }), 'Your audio is being made'),
      cancelNarration: () =>
        act(() => api('DELETE /api/user/content/:id/job', { path }), 'Narration cancelled'),
      share: () =>
        act(
          () => api('POST /api/user/content/:id/share', { path }),
          'Waiting for review',
          'Others can see it once an operator approves it.',
        ),
      makePrivate: () => act(() => api('DELETE /api/user/content/:id/share', { path }), 'Private again'),
      remove: () => act(() => api('DELETE /api/user/content/:id', { path }), 'Deleted'),
    },
  }
}

function NarrationProgress({ title, job }: { title: string; job: { state: string; progress: number } }) {
  return (
    <div className="stack-sm">
      <progress className="meter meter-lg" value={job.progress} max={1} aria-label={`${title}: narration`} />
      <p className="meta" role="status">
        {job.state === 'queued' ? 'Waiting to be narrated' : `Narrating, ${Math.round(job.progress * 100)} %`}
      </p>
    </div>
  )
}

/** Confirmation dialog. All its buttons close it; the one that confirms is its child. */
function Question({
  no,
  children,
  ...dialog
}: Pick<Parameters<typeof Dialog>[0], 'id' | 'ref' | 'title' | 'words' | 'children'> & { no: string }) {
  return (
    <Dialog {...dialog} width="narrow">
      <form method="dialog" className="btn-row">
        {children}
        <Button kind="ghost" type="submit">
          {no}
        </Button>
      </form>
    </Dialog>
  )
}

function StateNotice({ state, reviewNote }: { state: OwnState; reviewNote: string | null }) {
  if (state === 'refused')
    return (
      <Notice
        kind="warn"
        action={
          <a className="link" href={urls.contact()}>
            How to object
          </a>
        }
      >{`Removed by an operator. ${reviewNote ?? ''}`}</Notice>
    )
  if (state === 'held') return <Notice>An operator reviews this before it can be narrated or shared.</Notice>
  if (state === 'waiting')
    return <Notice>Waiting for review. Others can see it once an operator approves it.</Notice>
  if (state === 'shared') return <Notice kind="good">Shared: anyone with the link can open it.</Notice>
  if (reviewNote) return <Notice kind="warn">{`Not shared. ${reviewNote} Change it and ask again.`}</Notice>
  return <p className="meta">Yours alone until you share it.</p>
}
