import { ChoicesForm } from '#src/ui/choices-form'
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

/** The filter of Trending: time and type. */
export function TrendingFilter({ timeframe, type, order }: TrendingFilterProps) {
  return (
    <ChoicesForm action={urls.trending()}>
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
    </ChoicesForm>
  )
}
