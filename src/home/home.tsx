import ResumeButton from '#islands/listening/resume-button'
import RowPlay from '#islands/listening/row-play'
import { ChallengeCard } from '#src/challenge/challenge-card'
import type { UserChallenge } from '#src/challenge/schema'
import { narratorLine } from '#src/story/narrator-words'
import { trackOf } from '#src/story/track-rules'
import { joinFacts } from '#src/text/join-facts'
import type { TrendingItem } from '#src/trending/schema'
import { ButtonLink } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { Cover } from '#src/ui/cover'
import { CoverRow } from '#src/ui/cover-row'
import { EmptyState } from '#src/ui/empty-state'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import { greet, LocalDay } from '#src/ui/local-time'
import { Section } from '#src/ui/section'
import { urls } from '#src/urls'
import type { Begun, Evening } from './begun'
import type { NewItems } from './new-items'
import { TrendingList } from './trending-list'

export type HomeProps = {
  name: string | null
  evening: Evening
  challenges: readonly UserChallenge[]
  news: NewItems
  trending: readonly TrendingItem[]
}

/** The start page of a member: where they stopped, their challenges, what is new, what is trending. */
export function Home({ name, evening: { resume, others }, challenges, news, trending }: HomeProps) {
  const active = challenges.filter(({ isComplete }) => !isComplete)
  return (
    <>
      <header className="page-head">
        <div>
          {/* The greeting depends on the viewer's clock; without a script it is that of the evening. */}
          <h1 className="title-lg" data-greeting={name ?? ''}>
            {greet('Good evening', name)}
          </h1>
          {resume && <p>What you have started is here, at the same word.</p>}
        </div>
      </header>
      {resume ? (
        <div className={others.length > 0 ? 'evening' : undefined}>
          <Resume begun={resume} />
          {others.length > 0 && <AlsoBegun others={others} />}
        </div>
      ) : (
        <EmptyState
          title="Nothing started yet"
          words="Whatever you start is listed here, at the word where you stopped."
        >
          <ButtonLink href={urls.explore()}>Explore Audios</ButtonLink>
        </EmptyState>
      )}
      {active.length > 0 && (
        <Section id="active" title="Active Challenges" link={{ href: urls.myContent(), label: 'My Content' }}>
          <div className="challenges">
            {active.map((each) => (
              <ChallengeCard key={each.id} mine={each} />
            ))}
          </div>
        </Section>
      )}
      {news.items.length > 0 && (
        <Section
          id="new"
          title={
            news.since ? (
              <>
                New since <LocalDay at={news.since} />
              </>
            ) : (
              'New on the shelf'
            )
          }
          link={{
            href: urls.explore(),
            label: news.since ? `All ${news.count.toLocaleString('en')}` : 'View All',
          }}
        >
          <CoverRow items={news.items} />
        </Section>
      )}
      {trending.length > 0 && <TrendingList items={trending} />}
    </>
  )
}

function Resume({
  begun: { item, isHeard, share, soundSeconds, minutesLeft, words },
}: {
  begun: Begun & { words: string }
}) {
  const position = share * soundSeconds
  return (
    <section className="resume" aria-labelledby="resume">
      <Cover title={item.title} />
      <div className="resume-words">
        <div className="resume-title">
          <h2 className="title-md" id="resume">
            <a href={urls.item(item)}>{item.title}</a>
          </h2>
          <p className="meta">
            {joinFacts(isHeard ? narratorLine(item) : 'Reading', `${minutesLeft} min left`)}
          </p>
        </div>
        {words && <p className="stopped">{words}</p>}
        {isHeard ? (
          <div className="player-time">
            <span>{clock(position)}</span>
            <progress
              className="meter"
              value={Math.round(position)}
              max={Math.round(soundSeconds)}
              aria-label={`Listened to ${clock(position)} of ${clock(soundSeconds)}`}
            />
            <span>{clock(soundSeconds)}</span>
          </div>
        ) : (
          <progress
            className="meter"
            value={Math.round(share * 100)}
            max={100}
            aria-label={`Read ${percent(share)}`}
          />
        )}
        <div className="btn-row">
          {isHeard && (
            <Island name="resume-button" of={ResumeButton} when="press" props={{ track: trackOf(item) }} />
          )}
          <ButtonLink kind={isHeard ? 'quiet' : 'primary'} href={urls.item(item)}>
            <Icon name="i-lucide-sm-book-open" />
            Read from here
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}

function AlsoBegun({ others }: { others: readonly Begun[] }) {
  return (
    <section className="left-off panel" aria-labelledby="left">
      <h2 id="left">Also started</h2>
      <ul className="row-list">
        {others.map(({ item, isHeard, share, minutesLeft }) => (
          <li key={item.id} className="row">
            <Cover title={item.title} shape="56" />
            <div className="row-words">
              <h3 className="title-sm">
                <a href={urls.item(item)}>{item.title}</a>
              </h3>
              <progress
                className="meter meter-sm"
                value={Math.round(share * 100)}
                max={100}
                aria-label={`${item.title}, how far`}
              />
              <span className="meta">
                {joinFacts(
                  isHeard ? 'Listening' : 'Reading',
                  !isHeard && percent(share),
                  `${minutesLeft} min left`,
                )}
              </span>
            </div>
            {isHeard ? (
              <Island
                name="row-play"
                id={`play-${item.id}`}
                of={RowPlay}
                when="press"
                props={{ track: trackOf(item) }}
              />
            ) : (
              <a className="icon-btn" href={urls.item(item)} aria-label={`Read on: ${item.title}`}>
                <Icon name="i-lucide-book-open" />
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const percent = (share: number) => `${Math.round(share * 100)} %`
