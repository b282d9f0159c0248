import { shortDate } from '#src/text/date-format'
import { joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { ButtonLink } from '#src/ui/button'
import { urls } from '#src/urls'
import { Nights } from './nights'
import type { Challenge, UserChallenge } from './schema'

/** Card of a challenge that the member is enrolled in: the present day, the next one, and Continue. */
export function ChallengeCard({ mine }: { mine: UserChallenge }) {
  return (
    <article className={mine.isToday && !mine.isPaused ? 'challenge is-today' : 'challenge'}>
      <div className="stack-sm">
        <div className="challenge-top">
          <h3 className="title-sm">{mine.name}</h3>
          <span className="meta num">{`Day ${mine.currentDay}/${mine.totalDays}`}</span>
        </div>
        <p className="prose">{mine.description}</p>
      </div>
      <div className="stack-sm">
        <Nights {...mine} />
        <div className="challenge-foot">
          <span className="meta">{nextWords(mine)}</span>
          <ButtonLink
            kind={mine.isToday && !mine.isPaused ? 'primary' : 'quiet'}
            size="sm"
            href={urls.challenge(mine.id)}
            aria-label={`Continue ${mine.name}`}
          >
            Continue
          </ButtonLink>
        </div>
      </div>
    </article>
  )
}

/** Card of a challenge for viewers who are not enrolled. */
export function ChallengeOffer({ challenge }: { challenge: Challenge }) {
  const { id, name, description, totalDays, minutes } = challenge
  return (
    <article className="challenge">
      <div className="stack-sm">
        <div className="challenge-top">
          <h3 className="title-sm">{name}</h3>
          <span className="meta num">{dayCount(totalDays)}</span>
        </div>
        <p className="prose">{description}</p>
      </div>
      <div className="challenge-foot">
        <span className="meta">{`${minutes} min in all`}</span>
        <ButtonLink size="sm" href={urls.challenge(id)} aria-label={`Look inside ${name}`}>
          Look inside
        </ButtonLink>
      </div>
    </article>
  )
}

/** "Next: Today", "Next: 22 Nov"; a kind sentence if no day is next. */
export function nextWords(mine: UserChallenge): string {
  if (mine.isComplete) return mine.totalDays === 1 ? 'Done' : `All ${mine.totalDays} days, done`
  if (mine.isPaused) return `Paused, ${mine.doneDays} of ${dayCount(mine.totalDays)} done`
  return `Next: ${mine.isToday ? 'Today' : dayWords(mine.nextFlowDate ?? '')}`
}

/** "1 day", "7 days". */
export function dayCount(days: number): string {
  return pluralize(days, 'day')
}

/** "7 flows · 33 min". */
export function lengthWords(flows: number, minutes: number): string {
  return joinFacts(pluralize(flows, 'flow'), `${minutes} min`)
}

/** A date alone, as "22 Nov". */
export function dayWords(date: string): string {
  return shortDate(new Date(date), 'UTC')
}
