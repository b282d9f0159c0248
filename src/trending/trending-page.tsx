import { ButtonLink } from '#src/ui/button'
import { Tabs } from '#src/ui/console/tabs'
import { CoverArt } from '#src/ui/cover'
import { EmptyState } from '#src/ui/empty-state'
import { CardPlace, drawAround } from '#src/ui/fragments'
import { Icon, type IconName } from '#src/ui/icon'
import type { Manifest } from '#src/ui/manifest'
import type { Markup } from '#src/ui/markup'
import { Section } from '#src/ui/section'
import { urls } from '#src/urls'
import type { VoteSums } from '#src/vote/schema'
import { drawRankedCards } from './ranked-card'
import { type ContentType, type Order, orderNames, orders, type Timeframe, timeframeDefault } from './rules'
import type { TrendingItem, TrendingStats } from './schema'
import { TrendingFilter } from './trending-filter'
import { Why } from './why'

export type TrendingPageProps = {
  timeframe: Timeframe
  type: ContentType
  order: Order
  items: readonly TrendingItem[]
  stats: TrendingStats
  votes: ReadonlyMap<string, VoteSums>
  isMember: boolean
}

function TrendingPage({ timeframe, type, order, items, stats, votes }: TrendingPageProps) {
  const [first] = items
  return (
    <>
      <header className="page-head">
        <div>
          <h1 className="title-lg">Trending Now</h1>
          <p>
            Ordered by votes, ratings and how many people stayed.{' '}
            {order === 'trending' && first && (
              <a className="link" href="#why">
                Why is this #1
              </a>
            )}
          </p>
        </div>
        <TrendingFilter timeframe={timeframe} type={type} order={order} />
      </header>
      <Stats stats={stats} />
      <section className="section section-tight" aria-label="Ranking">
        <Tabs
          label="Order"
          tabs={orders.map((each) => ({
            label: orderNames[each],
            href: trendingUrl({ timeframe, type, order: each }),
            isCurrent: each === order,
          }))}
        />
        {items.length === 0 ? (
          <Nothing order={order} isFiltered={timeframe !== 'all' || type !== 'all'} />
        ) : (
          <div className="rank-list">
            <CardPlace />
          </div>
        )}
      </section>
      {order === 'trending' && first && (
        <Why item={{ ...first, ...votesOf(first, votes) }} timeframe={timeframe} />
      )}
      <Testimonials />
      <Journey />
    </>
  )
}

/** Renders the page Trending Now. */
export function drawTrending({ islandCodes }: Manifest, props: TrendingPageProps): Markup {
  const { order, items, votes, isMember } = props
  const next = trendingUrl(props)
  const places = new Map(items.map(({ id }, at) => [id, at]))
  const cards = drawRankedCards(islandCodes, items, (item) => {
    const at = places.get(item.id) ?? 0
    const isFirst = order === 'trending' && at === 0
    return { props: { at, isFirst, ...votesOf(item, votes), isMember, next }, ownWords: null }
  })
  return drawAround(islandCodes, <TrendingPage {...props} />, cards)
}

/** The votes of an item; those of the list if it has left the library in the meantime. */
function votesOf(item: TrendingItem, votes: TrendingPageProps['votes']): VoteSums {
  return votes.get(item.id) ?? { voteType: 'none', upvotes: item.upvotes, downvotes: item.downvotes }
}

/** The address of a view of Trending, without default parameters. */
function trendingUrl({ timeframe, type, order }: Pick<TrendingPageProps, 'timeframe' | 'type' | 'order'>) {
  return urls.trending({
    timeframe: timeframe === timeframeDefault ? undefined : timeframe,
    type: type === 'all' ? undefined : type,
    order: order === 'trending' ? undefined : order,
  })
}

function Stats({ stats }: { stats: TrendingStats }) {
  const cards: [string, number, IconName][] = [
    ['Total Views', stats.totalViews, 'i-lucide-sm-eye'],
    ['Total Upvotes', stats.totalUpvotes, 'i-lucide-sm-thumbs-up'],
    ['New Content', stats.newContent, 'i-lucide-sm-sparkles'],
    ['Active Creators', stats.activeCreators, 'i-lucide-sm-pen-line'],
  ]
  return (
    <dl className="stats">
      {cards.map(([name, value, icon]) => (
        <div key={name} className="stat">
          <dt>
            <Icon name={icon} />
            {name}
          </dt>
          <dd>{value.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}

function Nothing({ order, isFiltered }: { order: Order; isFiltered: boolean }) {
  const words =
    order === 'top-rated'
      ? 'Nobody has rated anything here yet. The stars are at the end of every story and flow.'
      : 'Quiet so far. What people stay with for half a minute appears here.'
  return (
    <EmptyState title="No trending content" words={words}>
      {isFiltered ? (
        <ButtonLink href={trendingUrl({ timeframe: 'all', type: 'all', order })}>All Time</ButtonLink>
      ) : (
        <ButtonLink href={urls.explore()}>Explore Audios</ButtonLink>
      )}
    </EmptyState>
  )
}

const testimonials = [
  ['We listen to one together on Sundays, and then we talk. It has been good for the talking.', 'Marta, 41'],
  ['I fall asleep before the end and pick it up on the train, on the same word.', 'Dev, 33'],
  ['It is the first place of this kind that felt as if it were written for me.', 'Ashe, 28'],
] as const

function Testimonials() {
  return (
    <Section id="said" title="What listeners say">
      <div className="quotes">
        {testimonials.map(([words, name]) => (
          <figure key={name} className="quote">
            <blockquote>
              <p>{words}</p>
            </blockquote>
            <figcaption className="meta">{name}</figcaption>
          </figure>
        ))}
      </div>
    </Section>
  )
}

const tiles = [
  ['Stories', '700+', urls.stories()],
  ['Sounds', '200+', urls.explore()],
  ['Wellness', '150+ sessions', urls.explore({ type: 'flow' })],
] as const

function Journey() {
  return (
    <Section id="journey" title="Explore Your Wellness Journey">
      <div className="tiles">
        {tiles.map(([name, count, href]) => (
          <a key={name} className="tile" href={href}>
            <CoverArt title={name} />
            <b className="title-md">{name}</b>
            <span>{count}</span>
          </a>
        ))}
      </div>
    </Section>
  )
}
