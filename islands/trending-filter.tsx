import { useHydrated } from '#islands/use-hydrated'
import {
  type ContentType,
  contentTypeNames,
  contentTypes,
  type Order,
  type Timeframe,
  timeframeNames,
  timeframes,
} from '#src/trending/rules'
import { Button } from '#src/ui/button'
import { PlainSelect } from '#src/ui/select'
import { urls } from '#src/urls'

export type TrendingFilterProps = { timeframe: Timeframe; type: ContentType; order: Order }

/** Time and type of Trending as one form; with a script a choice counts at once. */
export default function TrendingFilter({ timeframe, type, order }: TrendingFilterProps) {
  const isHydrated = useHydrated()
  return (
    <form
      className="btn-row"
      action={urls.trending()}
      method="get"
      data-keep=""
      onChange={({ currentTarget }) => currentTarget.requestSubmit()}
    >
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
      {!isHydrated && (
        <Button type="submit" size="sm">
          Show
        </Button>
      )}
    </form>
  )
}
