import { useAtomValue } from 'jotai'
import { MoonStar, Undo2 } from 'lucide-react'
import { ResumePlaces } from '#islands/player/resume-places'
import { noteAtom } from '#islands/player/state'
import { useAudio } from '#islands/player/use-audio'
import { Button } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { Notice } from '#src/ui/notice'

/** What the player has to say: what went wrong and its mend, or else what is on its mind. Often nothing. */
export function PlayerNotice() {
  const { errorType } = useAudio()
  const note = useAtomValue(noteAtom)
  if (errorType !== null) return <Failure errorType={errorType} />
  if (note?.type === 'places') return <ResumePlaces places={note.places} />
  return note && <div className="player-note">{<Note />}</div>
}

function Failure({ errorType }: { errorType: keyof typeof failures }) {
  const { player } = useAudio()
  const { kind, words, mend } = failures[errorType]
  return (
    <div className="player-note">
      <Notice
        kind={kind}
        action={
          <Button kind="quiet" size="sm" onClick={errorType === 'autoplay' ? player.resume : player.retry}>
            {mend}
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
      <Notice icon={Undo2} action={<NoteButton words="Undo" keys="u" onPress={player.undo} />}>
        Moved to {clock(note.toSec)}. You were at {clock(note.fromSec)}.
      </Notice>
    )
  if (note?.type === 'rewound')
    return <Notice icon={Undo2}>{`Back ${note.seconds} seconds, to find the thread again.`}</Notice>
  if (note?.type === 'next')
    return (
      <Notice action={<NoteButton words="Cancel" onPress={player.queue.cancelNext} />}>
        {/* Said once: a count that is read out every second would talk over the quiet. */}
        Playing next: {note.title} <span aria-hidden="true">in {note.secondsLeft} s</span>
      </Notice>
    )
  if (note?.type === 'slept')
    return (
      <Notice icon={MoonStar} action={<NoteButton words="Play on" onPress={player.playOn} />}>
        The sleep timer has ended. Your place is kept.
      </Notice>
    )
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
    mend: 'Try Again',
  },
  authRequired: { kind: 'info', words: 'This one needs an account. It is free.', mend: 'Sign in' },
  autoplay: { kind: 'info', words: 'The browser waits for a press before it lets this sound.', mend: 'Play' },
} as const
