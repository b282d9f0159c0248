import { pluralize } from '#src/text/pluralize'
import { Section } from '#src/ui/section'
import { halfLifeShare, type Timeframe, timeframeHours } from './rules'
import type { TrendingItem } from './schema'

const windowWords: Record<Timeframe, string> = {
  '24h': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
  all: 'so far',
}

/** Explains why the first item is first: its own figures, then their weights (rules.ts). */
export function Why({ item, timeframe }: { item: TrendingItem; timeframe: Timeframe }) {
  return (
    <Section id="why" title={<>Why “{item.title}” is #1</>}>
      <div className="prose why">
        <p>{ownWords(item, timeframe)}</p>
        <p>
          A view counts once per visitor, item and day, after half a minute or at the end. Upvotes are weighed
          against downvotes with caution: one vote alone moves little. Ratings start at the average of the
          library and count for more as they add up. {ageWords(timeframe)} Nobody can pay for a place here.
        </p>
      </div>
    </Section>
  )
}

type Figures = Pick<TrendingItem, 'views' | 'upvotes' | 'downvotes' | 'totalRatings' | 'rating'>

/** "Somebody stayed with it 3 times in the last 7 days. Votes: 2 for it, 0 against. …" */
export function ownWords(item: Figures, timeframe: Timeframe): string {
  const { views, upvotes, downvotes, totalRatings, rating } = item
  const stays =
    views === 0
      ? 'Nobody has stayed with it'
      : `Somebody stayed with it ${views === 1 ? 'once' : pluralize(views, 'time')}`
  const stars =
    totalRatings > 0
      ? `Stars: ${rating.toFixed(1)} of 5, from ${pluralize(totalRatings, 'member')}.`
      : 'Nobody has rated it yet.'
  return `${stays} ${windowWords[timeframe]}. Votes: ${upvotes.toLocaleString('en')} for it, ${downvotes.toLocaleString('en')} against. ${stars} Taken together, nothing else scores higher.`
}

function ageWords(timeframe: Timeframe): string {
  const hours = timeframeHours[timeframe]
  if (hours === null) return 'In All Time, age takes nothing away.'
  const half = hours * halfLifeShare
  const words = half < 48 ? `${half} hours` : `${half / 24} days`
  return `What is new comes first for a while: a score halves in ${words}.`
}
