import RowPlay from '#islands/listening/row-play'
import { itemMinutes } from '#src/story/narrator-words'
import { trackOf } from '#src/story/track-rules'
import { pluralize } from '#src/text/pluralize'
import type { TrendingItem } from '#src/trending/schema'
import { Cover } from '#src/ui/cover'
import { Island } from '#src/ui/island'
import { MetaRow } from '#src/ui/meta-row'
import { Section } from '#src/ui/section'
import { urls } from '#src/urls'

/** The first items of Trending, in short. */
export function TrendingList({ items }: { items: readonly TrendingItem[] }) {
  return (
    <Section id="now" title="Trending now" link={{ href: urls.trending(), label: 'View All' }}>
      <ol className="mini-rank">
        {items.map((item, at) => (
          <li key={item.id}>
            <span className="rank-figure" aria-hidden="true">
              {at + 1}
            </span>
            <Cover title={item.title} shape="56" />
            <div className="row-words">
              <h3 className="title-sm">
                <a href={urls.item(item)}>{item.title}</a>
              </h3>
              <MetaRow>
                {`${itemMinutes(item)} min`}
                {pluralize(item.views, 'view')}
                {item.isHot ? 'Hot' : item.isRising && 'Rising'}
              </MetaRow>
            </div>
            {(item.narrations.female || item.narrations.male) && (
              <Island
                name="row-play"
                id={`trending-${item.id}`}
                when="press"
                of={RowPlay}
                props={{ track: trackOf(item) }}
              />
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
