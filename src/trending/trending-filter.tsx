import { Button } from '#src/ui/button'
import { PlainSelect } from '#src/ui/select'
import { urls } from '#src/urls'
import {
  type ContentType,
  contentTypeNames,
  contentTypes,
  type Order,
  type Timeframe,
  timeframeNames,
  timeframes,
} from './rules'

export type TrendingFilterProps = { timeframe: Timeframe; type: ContentType; order: Order }

/** Time and type of Trending as one form; with a script a choice is applied at once (apply-choices.ts). */
export function TrendingFilter({ timeframe, type, order }: TrendingFilterProps) {
  return (
    <form className="btn-row" action={urls.trending()} method="get" data-keep="" data-apply-choices="">
      {order !== 'trending' && <input type="hidden" name="order" value={order} />}
      <PlainSelect
        label="Time period"
        name="timeframe"
        defaultValue={timeframe}
        choices={timeframes.map((value) => ({ value, label: timeframeNames[value] }))}
      />
      <PlainSelect
        label="Content type"
        name="type"
        defaultValue={type}
        choices={contentTypes.map((value) => ({ value, label: contentTypeNames[value] }))}
      />
      <noscript>
        <Button type="submit" size="sm">
          Show
        </Button>
      </noscript>
    </form>
  )
}
