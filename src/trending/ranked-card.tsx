import Upvote from '#islands/vote/upvote'
import { itemMinutes } from '#src/story/narrator-words'
import { preview, previewCharactersMax } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { Cover } from '#src/ui/cover'
import { cardList } from '#src/ui/fragments'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import { Tags } from '#src/ui/tags'
import { urls } from '#src/urls'
import type { VoteSums } from '#src/vote/schema'
import { ranksShown } from './rules'
import type { TrendingItem } from './schema'

type RankedCardProps = VoteSums & { at: number; isFirst: boolean; isMember: boolean; next: string }

/** One item of Trending Now. `at` counts from 0; the first item of the order Trending is highlighted. */
function RankedCard({
  item,
  at,
  isFirst,
  isMember,
  next,
  ...votes
}: RankedCardProps & { item: TrendingItem }) {
  const minutes = itemMinutes(item)
  const isSpoken = item.narrations.female || item.narrations.male
  return (
    <article className={isFirst ? 'rank rank-first' : 'rank'}>
      {at < ranksShown ? (
        <span className="rank-number">
          <span className="visually-hidden">Rank </span>
          {at + 1}
        </span>
      ) : (
        <span className="rank-number hide-sm" aria-hidden="true" />
      )}
      <Cover title={item.title} shape="tall" />
      <div className="rank-words">
        <div className="btn-row badge-row">
          {isFirst && <Badge kind="lit">#1 Trending</Badge>}
          {!isFirst && item.isHot && <Badge kind="soft">Hot</Badge>}
          {!isFirst && item.isRising && <Badge kind="soft">Rising</Badge>}
          <Badge kind="line">{item.type === 'flow' ? 'Flow' : 'Story'}</Badge>
          {minutes !== null && <span className="meta num">{minutes} min</span>}
        </div>
        <h3 className="title-sm">
          <a href={urls.item(item)} data-reader={item.type === 'story' ? '' : undefined}>
            {item.title}
          </a>
        </h3>
        <p className="prose">{preview(item.content || item.excerpt, previewCharactersMax)}</p>
        <Tags categories={item.categories} />
        <Figures item={item} isSpoken={isSpoken} />
      </div>
      <Island
        name="upvote"
        id={`upvote-${item.id}`}
        when="press"
        of={Upvote}
        props={{
          itemId: item.id,
          title: item.title,
          isMember,
          next,
          votes,
        }}
      />
    </article>
  )
}

export const drawRankedCards = cardList<TrendingItem, RankedCardProps>(RankedCard)

function Figures({
  item: { rating, totalRatings, views },
  isSpoken,
}: {
  item: TrendingItem
  isSpoken: boolean
}) {
  return (
    <div className="figures">
      {totalRatings > 0 && (
        <span>
          <Icon name="i-lucide-sm-star" />
          <span className="visually-hidden">Rating </span>
          {rating.toFixed(1)}
        </span>
      )}
      <span>
        <Icon name="i-lucide-sm-eye" />
        {pluralize(views, 'view')}
      </span>
      {isSpoken && (
        <span>
          <Icon name="i-lucide-sm-headphones" />
          Audio available
        </span>
      )}
    </div>
  )
}
