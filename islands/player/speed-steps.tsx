import { useAudio } from '#islands/player/use-audio'
import { speeds } from '#src/listening/rules'
import { clock } from '#src/ui/clock'

/** The choice of a playback speed, with the resulting length. The pitch of the voice does not change. */
export function SpeedSteps() {
  const { speed, duration, player } = useAudio()
  return (
    <>
      <p className="figure-lg">{speed}×</p>
      <div className="speed">
        {speeds.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === speed}
            onClick={() => player.setSpeed(each)}
          >
            {each}×
          </button>
        ))}
      </div>
      {duration > 0 && (
        <p className="meta" role="status">
          {clock(duration)} {speed === 1 ? 'as it was spoken.' : `becomes ${clock(duration / speed)}.`}
        </p>
      )}
    </>
  )
}
