import { type RefObject, useRef } from 'react'
import { useNarration } from '#islands/narration/use-narration'
import { reload } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { Button, ButtonLink } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { OwnState } from '#src/user-story/rules'
import type { UserContentItem } from '#src/user-story/schema'

export type OwnProps = {
  id: string
  title: string
  state: OwnState
  narration: UserContentItem['narration']
  reviewNote: string | null
}

/** The state of an own item, and the actions that its maker has. */
export function OwnControls({
  id,
  title,
  state,
  narration,
  reviewNote,
  hasAudio,
}: OwnProps & { hasAudio: boolean }) {
  const { isBusy, act } = useActions(id, title)
  const dialog = useRef<HTMLDialogElement>(null)
  const job = useNarration(id, title, narration)
  const isNarrating = job?.state === 'queued' || job?.state === 'running'

  const button = (label: string) => ({ size: 'sm', disabled: isBusy, 'aria-label': label }) as const

  return (
    <div className="own-state">
      {isNarrating && <NarrationProgress title={title} job={job} />}
      {job?.state === 'failed' && !hasAudio && (
        <Notice kind="bad">
          The voice could not speak this. Your text is kept, and trying again is free.
        </Notice>
      )}
      <StateNotice state={state} reviewNote={reviewNote} />
      <div className="btn-row">
        {state !== 'refused' && (
          <ButtonLink size="sm" href={urls.create({ edit: id })} aria-label={`Edit ${title}`}>
            <Icon name="i-lucide-sm-pen-line" />
            Edit
          </ButtonLink>
        )}
        {isNarrating && (
          <Button {...button(`Cancel the narration of ${title}`)} onClick={act.cancelNarration}>
            Cancel
          </Button>
        )}
        {!isNarrating && state !== 'held' && state !== 'refused' && (
          <Button {...button(`Narrate ${title}`)} onClick={act.narrate}>
            <Icon name={job?.state === 'failed' ? 'i-lucide-sm-rotate-cw' : 'i-lucide-sm-audio-lines'} />
            {job?.state === 'failed' ? 'Try Again' : hasAudio ? 'Narrate anew' : 'Narrate'}
          </Button>
        )}
        {state === 'private' && (
          <Button {...button(`Share ${title}`)} onClick={act.share}>
            <Icon name="i-lucide-sm-share-2" />
            Share
          </Button>
        )}
        {(state === 'shared' || state === 'waiting') && (
          <Button {...button(`Make ${title} private`)} onClick={act.makePrivate}>
            Make private
          </Button>
        )}
        <Button {...button(`Delete ${title}`)} kind="ghost" onClick={() => dialog.current?.showModal()}>
          <Icon name="i-lucide-sm-trash" />
          Delete
        </Button>
      </div>
      <DeleteDialog id={id} title={title} dialog={dialog} isBusy={isBusy} onDelete={act.remove} />
    </div>
  )
}

/** The calls that change an own item; each shows its outcome in a toast, and the page shows the changed item. */
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
          'Others see it once an operator has read it.',
        ),
      makePrivate: () => act(() => api('DELETE /api/user/content/:id/share', { path }), 'Yours alone again'),
      remove: () => act(() => api('DELETE /api/user/content/:id', { path }), 'Deleted'),
    },
  }
}

function NarrationProgress({ title, job }: { title: string; job: { state: string; progress: number } }) {
  return (
    <div className="stack-sm">
      <progress className="meter meter-lg" value={job.progress} max={1} aria-label={`${title}: narration`} />
      <p className="meta" role="status">
        {job.state === 'queued' ? 'Waiting for the voice' : `Narrating, ${Math.round(job.progress * 100)} %`}
      </p>
    </div>
  )
}

function DeleteDialog({
  id,
  title,
  dialog,
  isBusy,
  onDelete,
}: {
  id: string
  title: string
  dialog: RefObject<HTMLDialogElement | null>
  isBusy: boolean
  onDelete: () => void
}) {
  return (
    <Dialog
      id={`delete-${id}`}
      ref={dialog}
      title={`Delete “${title}”?`}
      words="It goes with its narration, for good."
      width="narrow"
    >
      <div className="btn-row">
        <Button
          kind="danger"
          disabled={isBusy}
          onClick={() => {
            dialog.current?.close()
            onDelete()
          }}
        >
          Delete it
        </Button>
        <Button kind="ghost" onClick={() => dialog.current?.close()}>
          Keep it
        </Button>
      </div>
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
      >{`Taken out by an operator. ${reviewNote ?? ''}`}</Notice>
    )
  if (state === 'held') return <Notice>An operator looks at this before it can be narrated or shared.</Notice>
  if (state === 'waiting')
    return <Notice>Waiting for review. Others see it once an operator has read it.</Notice>
  if (state === 'shared') return <Notice kind="good">Shared: everyone with the link may open it.</Notice>
  if (reviewNote) return <Notice kind="warn">{`Not shared. ${reviewNote} Change it, and ask again.`}</Notice>
  return <p className="meta">Yours alone until you share it.</p>
}
