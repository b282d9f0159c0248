import { useEffect, useRef } from 'react'
import type { PlayRequest } from '#islands/events'
import { keepSeenNotes, notesOf } from '#islands/player/notes-before'
import { Button } from '#src/ui/button'
import { ContentNotes } from '#src/ui/content-notes'
import { Dialog } from '#src/ui/dialog'

/** Before a sound begins: one press shows the notes, another goes on without them. */
export function NotesDialog({
  asked,
  onPlay,
  onClose,
}: {
  asked: PlayRequest
  onPlay: (asked: PlayRequest) => void
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const play = () => {
    keepSeenNotes(asked.track.id)
    dialog.current?.close()
    onPlay(asked)
  }
  return (
    <Dialog id="notes-before" ref={dialog} title={asked.track.title} width="narrow" onClose={onClose}>
      <ContentNotes notes={notesOf(asked.track)} />
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
