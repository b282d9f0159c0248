import { useAtomValue } from 'jotai'
import { reasonToListen } from '#islands/player/permission'
import { ResumePlaces } from '#islands/player/resume-places'
import { noteAtom } from '#islands/player/state'
import { useAudio } from '#islands/player/use-audio'
import { Button } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { Notice } from '#src/ui/notice'

/** The player's notice: an error with its fix, otherwise an offer such as the next item, otherwise nothing. */
export function PlayerNotice() {
  const { errorType } = useAudio()
  const note = useAtomValue(noteAtom)
  if (errorType !== null) return <Failure errorType={errorType} />
  if (note?.type === 'places') return <ResumePlaces places={note.places} />
  return note && <div className="player-note">{<Note />}</div>
}

function Failure({ errorType }: { errorType: keyof typeof failures }) {
  const { player } = useAudio()
  const { kind, words, fix } = failures[errorType]
  return (
    <div className="player-note">
      <Notice
        kind={kind}
        action={
          <Button kind="quiet" size="sm" onClick={errorType === 'autoplay' ? player.resume : player.retry}>
            {fix}
          </Button>
        }
      >
        {words}
      </Notice>
    </div>
  )
}

function Note() {
  const { player } = useAudio()
  const note = useAtomValue(noteAtom)
  if (note?.type === 'moved')
    return (
      <Notice icon="i-lucide-undo-2" action={<NoteButton words="Undo" keys="u" onPress={player.undo} />}>
        Moved to {clock(note.toSeconds)}. You were at {clock(note.fromSeconds)}.
      </Notice>
    )
  if (note?.type === 'rewound')
    return <Notice icon="i-lucide-undo-2">{`Back ${note.seconds} seconds, to find the thread again.`}</Notice>
  if (note?.type === 'next')
    return (
      <Notice action={<NoteButton words="Cancel" onPress={player.queue.cancelNext} />}>
        {/* The countdown is hidden from screen readers: reading it out every second would disturb. */}
        Playing next: {note.title} <span aria-hidden="true">in {note.secondsLeft} s</span>
      </Notice>
    )
  if (note?.type === 'slept')
    return (
      <Notice icon="i-lucide-moon-star" action={<NoteButton words="Play on" onPress={player.playOn} />}>
        {note.isAtItemEnd
          ? 'The sleep timer has ended with this item.'
          : 'The sleep timer has ended. Your place is kept.'}
      </Notice>
    )
  if (note?.type === 'preview')
    return <Notice>{`The first ${note.seconds} seconds. The whole is free with an account.`}</Notice>
  if (note?.type === 'narrating')
    return <Notice>This one is being read aloud for the first time. It starts in a moment.</Notice>
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
  locked: { kind: 'info', words: 'Enter your PIN to go on.', fix: 'Enter PIN' },
  authRequired: { kind: 'info', words: reasonToListen, fix: 'Sign in' },
  autoplay: { kind: 'info', words: 'The browser waits for a press before it lets this sound.', fix: 'Play' },
} as const
