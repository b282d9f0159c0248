import { useLayoutEffect, useRef } from 'react'
import { notesOf, storeSeenNotes } from '#islands/player/notes-before'
import type { PlayRequest } from '#islands/runtime/events'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'
import { ContentNotes } from '#src/ui/content-notes'
import { Dialog } from '#src/ui/dialog'

/** Shows content notes before playback: one button plays, the other closes the dialog. */
export function NotesDialog({
  request,
  onPlay,
  onClose,
}: {
  request: PlayRequest
  onPlay: (asked: PlayRequest) => void
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens with each request
  useLayoutEffect(() => showDialog(dialog.current), [request])
  const play = () => {
    storeSeenNotes(request.track.id)
    dialog.current?.close()
    onPlay(request)
  }
  return (
    <Dialog id="notes-before" ref={dialog} title={request.track.title} width="narrow" onClose={onClose}>
      <ContentNotes notes={notesOf(request.track)} />
      <div className="btn-row btn-row-end">
        <Button type="button" onClick={() => dialog.current?.close()}>
          Not now
        </Button>
        <Button type="button" kind="primary" onClick={play} autoFocus>
          Play
        </Button>
      </div>
    </Dialog>
  )
}
