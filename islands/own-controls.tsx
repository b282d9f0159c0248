import { AudioLines, PenLine, RotateCw, Share2, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { apiCall, problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { useNarration } from '#islands/use-narration'
import { reload } from '#islands/visit'
import type { OwnState } from '#src/creation/rules'
import type { UserContentItem } from '#src/creation/schema'
import { Button, ButtonLink } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'

export type OwnProps = {
  id: string
  title: string
  state: OwnState
  narration: UserContentItem['narration']
  reviewNote: string | null
}

/** Where an own item stands, and what its maker may do with it. */
export function OwnControls({
  id,
  title,
  state,
  narration,
  reviewNote,
  hasAudio,
}: OwnProps & { hasAudio: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const job = useNarration(id, title, narration)
  const isNarrating = job?.state === 'queued' || job?.state === 'running'

  const act = async (
    path: string,
    method: 'POST' | 'DELETE',
    done: { title: string; description?: string },
  ) => {
    setBusy(true)
    try {
      await apiCall(path, { method, ...(method === 'POST' && { body: {} }) })
      emit('nocturne:toast', { kind: 'good', ...done })
      await reload()
    } catch (error) {
      emit('nocturne:toast', {
        kind: 'bad',
        title: 'That did not work',
        description: problemOf(error).message,
      })
    } finally {
      setBusy(false)
    }
  }
  const narrate = () =>
    act(urls.apiOwnNarration(id), 'POST', { title: 'Your audio is being made', description: title })

  return (
    <div className="own-state">
      {isNarrating && (
        <div className="stack-sm">
          <progress
            className="meter meter-lg"
            value={job.progress}
            max={1}
            aria-label={`${title}: narration`}
          />
          <p className="meta" role="status">
            {job.state === 'queued'
              ? 'Waiting for the voice'
              : `Narrating, ${Math.round(job.progress * 100)} %`}
          </p>
        </div>
      )}
      {job?.state === 'failed' && !hasAudio && (
        <Notice kind="bad">
          The voice could not speak this. Your text is kept, and trying again is free.
        </Notice>
      )}
      <StateNotice state={state} reviewNote={reviewNote} />
      <div className="btn-row">
        {state !== 'refused' && (
          <ButtonLink size="sm" href={urls.create({ edit: id })} aria-label={`Edit ${title}`}>
            <Icon of={PenLine} size="sm" />
            Edit
          </ButtonLink>
        )}
        {isNarrating && (
          <Button
            size="sm"
            disabled={isBusy}
            aria-label={`Cancel the narration of ${title}`}
            onClick={() =>
              act(urls.apiOwnJob(id), 'DELETE', { title: 'Narration cancelled', description: title })
            }
          >
            Cancel
          </Button>
        )}
        {!isNarrating && state !== 'held' && state !== 'refused' && (
          <Button size="sm" disabled={isBusy} aria-label={`Narrate ${title}`} onClick={narrate}>
            <Icon of={job?.state === 'failed' ? RotateCw : AudioLines} size="sm" />
            {job?.state === 'failed' ? 'Try Again' : hasAudio ? 'Narrate anew' : 'Narrate'}
          </Button>
        )}
        {state === 'private' && (
          <Button
            size="sm"
            disabled={isBusy}
            aria-label={`Share ${title}`}
            onClick={() =>
              act(urls.apiOwnShare(id), 'POST', {
                title: 'Waiting for review',
                description: 'Others see it once an operator has read it.',
              })
            }
          >
            <Icon of={Share2} size="sm" />
            Share
          </Button>
        )}
        {(state === 'shared' || state === 'waiting') && (
          <Button
            size="sm"
            disabled={isBusy}
            aria-label={`Make ${title} private`}
            onClick={() =>
              act(urls.apiOwnShare(id), 'DELETE', { title: 'Yours alone again', description: title })
            }
          >
            Make private
          </Button>
        )}
        <Button
          size="sm"
          kind="ghost"
          disabled={isBusy}
          aria-label={`Delete ${title}`}
          onClick={() => dialog.current?.showModal()}
        >
          <Icon of={Trash2} size="sm" />
          Delete
        </Button>
      </div>
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
              void act(urls.apiOwnItem(id), 'DELETE', { title: 'Deleted', description: title })
            }}
          >
            Delete it
          </Button>
          <Button kind="ghost" onClick={() => dialog.current?.close()}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </div>
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
