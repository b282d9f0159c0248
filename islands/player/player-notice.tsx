import { useAtomValue } from 'jotai'
import type { ComponentProps, ReactNode } from 'react'
import { findPlayButton } from '#islands/player/find-play-button'
import { reasonToListen } from '#islands/player/permission'
import { ResumePlaces } from '#islands/player/resume-places'
import { noteAtom } from '#islands/player/state'
import { useAudio } from '#islands/player/use-audio'
import { useFocusOnRemoval } from '#islands/player/use-focus-on-removal'
import { AppearingNotice } from '#islands/site/appearing-notice'
import { Button } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { Notice } from '#src/ui/notice'

/**
 * The player's notice: an error with its fix, unless the player is trying again; otherwise an offer such as the next
 * item, otherwise nothing.
 */
export function PlayerNotice() {
  const { errorType, isLoading } = useAudio()
  const note = useAtomValue(noteAtom)
  if (errorType !== null && !isLoading) return <Failure key={errorType} errorType={errorType} />
  if (note?.type === 'places') return <ResumePlaces places={note.places} />
  return note && <Note key={note.type} />
}

/** Positions a notice. When the notice is removed, the focus moves from it to the play button. */
function NotePlace({ children }: { children: ReactNode }) {
  return (
    <div className="player-note" ref={useFocusOnRemoval(findPlayButton)}>
      {children}
    </div>
  )
}

function PlayerNote(props: ComponentProps<typeof AppearingNotice>) {
  return (
    <NotePlace>
      <AppearingNotice {...props} />
    </NotePlace>
  )
}

function Failure({ errorType }: { errorType: keyof typeof failures }) {
  const { player } = useAudio()
  const { kind, words, fix } = failures[errorType]
  const action = (
    <Button kind="quiet" size="sm" onClick={errorType === 'autoplay' ? player.resume : player.retry}>
      {fix}
    </Button>
  )
  // A dialog opens for these and states the reason. The notice is shown once the dialog is closed.
  if (errorType === 'authRequired' || errorType === 'locked')
    return (
      <NotePlace>
        <Notice action={action}>{words}</Notice>
      </NotePlace>
    )
  return <PlayerNote kind={kind} action={action} words={words} />
}

function Note() {
  const { player } = useAudio()
  const note = useAtomValue(noteAtom)
  if (note?.type === 'moved')
    return (
      <PlayerNote
        icon="i-lucide-undo-2"
        action={<NoteButton words="Undo" keys="u" onPress={player.undo} />}
        words={`Moved to ${clock(note.toSeconds)}. You were at ${clock(note.fromSeconds)}.`}
      />
    )
  if (note?.type === 'rewound')
    return (
      <PlayerNote icon="i-lucide-undo-2" words={`Back ${note.seconds} seconds, to find the thread again.`} />
    )
  if (note?.type === 'next')
    return (
      <PlayerNote
        action={<NoteButton words="Cancel" onPress={player.queue.cancelNext} />}
        words={`Playing next: ${note.title}`}
      >
        {/* The countdown is hidden from screen readers: reading it out every second would disturb. */}
        Playing next: {note.title} <span aria-hidden="true">in {note.secondsLeft} s</span>
      </PlayerNote>
    )
  if (note?.type === 'slept')
    return (
      <PlayerNote
        icon="i-lucide-moon-star"
        action={<NoteButton words="Play on" onPress={player.playOn} />}
        words={
          note.isAtItemEnd
            ? 'The sleep timer has ended with this item.'
            : 'The sleep timer has ended. Your place is kept.'
        }
      />
    )
  if (note?.type === 'preview')
    return <PlayerNote words={`The first ${note.seconds} seconds. The rest is free with an account.`} />
  if (note?.type === 'reconnecting')
    return (
      <PlayerNote
        action={<NoteButton words={failures.playback.fix} onPress={player.retry} />}
        words="Waiting for the connection. Your place is kept."
      />
    )
  if (note?.type === 'narrating')
    return <PlayerNote words="This one is being read aloud for the first time. It starts in a moment." />
  return null
}

function NoteButton({ words, keys, onPress }: { words: string; keys?: string; onPress: () => void }) {
  return (
    <Button kind="quiet" size="sm" aria-keyshortcuts={keys} onClick={() => onPress()}>
      {words}
    </Button>
  )
}

const failures = {
  playback: {
    kind: 'bad',
    words: 'This cannot be played right now. Your place is kept.',
    fix: 'Try Again',
  },
  locked: { kind: 'info', words: 'Enter your PIN to continue.', fix: 'Enter PIN' },
  authRequired: { kind: 'info', words: reasonToListen, fix: 'Sign in' },
  autoplay: { kind: 'info', words: 'Your browser needs a press before it plays sound.', fix: 'Play' },
} as const
