import { useAtomValue } from 'jotai'
import { sleepAtom } from '#islands/player/state'
import { useAudio } from '#islands/player/use-audio'
import { timerExtendMinutes, timerMinutes } from '#src/listening/rules'
import { Button } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { useElementId } from '#src/ui/element-id'
import { Icon } from '#src/ui/icon'

/** The choices of the sleep timer. */
export function SleepChoices() {
  const { player, currentTime, duration, speed } = useAudio()
  const sleep = useAtomValue(sleepAtom)
  const timer = sleep?.timer
  const now = Date.now()
  const itemSecondsLeft = Math.max(0, duration - currentTime) / speed
  return (
    <>
      {sleep && (
        <p className="figure-lg">
          {clock(sleep.secondsLeft)} <span className="meta">left, with a slow fade</span>
        </p>
      )}
      <div className="options" role="radiogroup" aria-label="Sleep timer">
        <Choice words="Off" isChosen={!timer} onChoose={player.sleep.cancel} />
        {timerMinutes.map((minutes) => (
          <Choice
            key={minutes}
            words={`${minutes} minutes`}
            endsAtMs={now + minutes * 60_000}
            isChosen={timer?.type === 'time' && timer.minutes === minutes}
            onChoose={() => player.sleep.chooseMinutes(minutes)}
          />
        ))}
        <Choice
          words="End of this item"
          endsAtMs={duration > 0 ? now + itemSecondsLeft * 1_000 : undefined}
          isChosen={timer?.type === 'item'}
          onChoose={player.sleep.chooseItemEnd}
        />
      </div>
      {timer?.type === 'time' && (
        <Button kind="quiet" isBlock onClick={player.sleep.extend}>
          <Icon name="i-lucide-sm-plus" />
          {timerExtendMinutes} more minutes
        </Button>
      )}
    </>
  )
}

function Choice({
  words,
  endsAtMs,
  isChosen,
  onChoose,
}: {
  words: string
  /** The time at which playback would stop, in milliseconds since 1970. */
  endsAtMs?: number
  isChosen: boolean
  onChoose: () => void
}) {
  const id = useElementId()
  return (
    <label className="option" htmlFor={id}>
      <input id={id} type="radio" name="sleep-timer" checked={isChosen} onChange={onChoose} />
      <Icon name="i-lucide-check" className="icon-chosen" />
      <span>{words}</span>
      <span className="meta num">{endsAtMs !== undefined && timeOfDay(endsAtMs)}</span>
    </label>
  )
}

function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
}
