import { useAudio } from '#islands/player/use-audio'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'

/** What went wrong with the track, and the mend. Nothing where all is well. */
export function PlayerNotice() {
  const { errorType, player } = useAudio()
  if (errorType === null) return null
  const { kind, words, mend } = notices[errorType]
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

const notices = {
  playback: {
    kind: 'bad',
    words: 'This cannot be played right now. Your place is kept.',
    mend: 'Try Again',
  },
  authRequired: { kind: 'info', words: 'This one needs an account. It is free.', mend: 'Sign in' },
  autoplay: { kind: 'info', words: 'The browser waits for a press before it lets this sound.', mend: 'Play' },
} as const
