import type { FormEvent } from 'react'
import { Button, ButtonLink } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import { dayCount, dayWords, lengthWords, nextWords } from './challenge-card'
import { Nights } from './nights'
import { dateAfter } from './rules'
import type { Challenge, ChallengeDay, UserChallenge } from './schema'

/** A member's actions on a challenge; without a script a form sends them. */
export type Act = 'join' | 'pause' | 'resume' | 'leave' | 'done'
type Acting = { isBusy?: boolean; onAct?: (act: Act, day: number | null) => void }

export type ChallengeDaysProps = {
  challenge: Challenge
  mine: UserChallenge | null
  isMember: boolean
  /** The date in the member's time zone, as YYYY-MM-DD. */
  today: string
}

/** A challenge with its days: done, open, or still to come. */
export function ChallengeDays({ challenge, mine, isMember, today, ...acting }: ChallengeDaysProps & Acting) {
  return (
    <div className="stack">
      {mine ? <Where mine={mine} {...acting} /> : <Join id={challenge.id} isMember={isMember} {...acting} />}
      <section aria-labelledby="days">
        <div className="section-head">
          <h2 className="title-md" id="days">
            Days <span className="meta">{lengthWords(challenge.totalDays, challenge.minutes)}</span>
          </h2>
        </div>
        <ol className="panel panel-flush row-list">
          {challenge.days.map((day) => (
            <Day key={day.day} day={day} challengeId={challenge.id} mine={mine} today={today} {...acting} />
          ))}
        </ol>
      </section>
    </div>
  )
}

function Where({ mine, ...acting }: { mine: UserChallenge } & Acting) {
  return (
    <section className="panel stack" aria-label="Where you are">
      <Nights {...mine} />
      <p role="status">{whereWords(mine)}</p>
      <div className="btn-row">
        {!mine.isComplete && (
          <ActForm id={mine.id} act={mine.isPaused ? 'resume' : 'pause'} {...acting}>
            {mine.isPaused ? 'Go on' : 'Pause'}
          </ActForm>
        )}
        <ActForm id={mine.id} act="leave" kind="ghost" {...acting}>
          {mine.isComplete ? 'Put it away' : 'Leave'}
        </ActForm>
      </div>
    </section>
  )
}

function whereWords(mine: UserChallenge): string {
  const { doneDays, totalDays, openDays } = mine
  if (mine.isComplete)
    return totalDays === 1
      ? 'You did it. It stays here whenever you want it again.'
      : `You did all ${totalDays} days. They stay here whenever you want one again.`
  const missed = openDays - doneDays - (mine.isToday ? 1 : 0)
  const done = `${doneDays} of ${dayCount(totalDays)}. ${nextWords(mine)}.`
  if (mine.isPaused) return `${nextWords(mine)}. Nothing opens until you go on, and nothing is lost.`
  return missed > 0 && doneDays > 0 ? `${done} A missed day stays open; take it whenever you like.` : done
}

function Join({ id, isMember, ...acting }: { id: string; isMember: boolean } & Acting) {
  if (isMember)
    return (
      <ActForm id={id} act="join" kind="primary" {...acting}>
        Begin today
      </ActForm>
    )
  return (
    <Notice>
      <a href={urls.signIn({ next: urls.challenge(id) })} data-auth="sign-in">
        Sign in
      </a>{' '}
      or{' '}
      <a href={urls.signIn({ next: urls.challenge(id), mode: 'register' })} data-auth="register">
        join free
      </a>{' '}
      to begin it.
    </Notice>
  )
}

type DayProps = { day: ChallengeDay; challengeId: string; mine: UserChallenge | null; today: string } & Acting

function Day({ day: item, mine, today, ...acting }: DayProps) {
  const { day, title, duration, isAvailable, isHidden } = item
  const isOpen = mine !== null && day <= mine.openDays
  const isCurrent = mine !== null && !mine.isComplete && day === mine.currentDay
  return (
    <li className="row row-padded" aria-current={isCurrent ? 'step' : undefined}>
      <Cover title={title} shape="56" />
      <div className="row-words">
        <h3 className="title-sm">
          {isAvailable && !isHidden ? <a href={urls.item(item)}>{title}</a> : title}
        </h3>
        <div className="meta-row">
          <span>{`Day ${day}`}</span>
          <span>{`${duration} min`}</span>
          {mine && !isOpen && !mine.isPaused && (
            <span>{`opens ${dayWords(dateAfter(today, day - mine.openDays))}`}</span>
          )}
        </div>
      </div>
      {mine?.completedDays.includes(day) ? (
        <span className="badge badge-good">
          <Icon name="i-lucide-sm-check" />
          Done
        </span>
      ) : isOpen ? (
        <OpenDay item={item} isCurrent={isCurrent} {...acting} />
      ) : (
        <span />
      )}
    </li>
  )
}

/** An open day, with links to hear it and to mark it as done. */
function OpenDay({
  item,
  isCurrent,
  challengeId,
  ...acting
}: { item: ChallengeDay; isCurrent: boolean; challengeId: string } & Acting) {
  const { day, title, isAvailable, isHidden } = item
  return (
    <div className="btn-row">
      {isAvailable && isHidden && (
        <ButtonLink
          size="sm"
          href={urls.shownItem(item)}
          rel="nofollow"
          aria-label={`Show day ${day} this once`}
        >
          Show it
        </ButtonLink>
      )}
      {isAvailable && !isHidden && (
        <ButtonLink
          size="sm"
          kind={isCurrent ? 'primary' : 'quiet'}
          href={urls.item(item)}
          aria-label={`${isCurrent ? 'Listen to' : 'Catch up with'} day ${day}, ${title}`}
        >
          {isCurrent ? 'Listen' : 'Catch up'}
        </ButtonLink>
      )}
      <ActForm id={challengeId} act="done" day={day} kind="ghost" {...acting}>
        <span className="visually-hidden">{`Day ${day} is `}</span>Done
      </ActForm>
    </div>
  )
}

function ActForm({
  id,
  act,
  day = null,
  kind = 'quiet',
  isBusy,
  onAct,
  children,
}: {
  id: string
  act: Act
  day?: number | null
  kind?: 'primary' | 'quiet' | 'ghost'
  children: React.ReactNode
} & Acting) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    onAct?.(act, day)
  }
  return (
    <form action={urls.challenge(id)} method="post" onSubmit={onAct && onSubmit}>
      <input type="hidden" name="act" value={act} />
      {day !== null && <input type="hidden" name="day" value={day} />}
      <Button type="submit" size={act === 'join' ? undefined : 'sm'} kind={kind} isBusy={isBusy}>
        {children}
      </Button>
    </form>
  )
}
