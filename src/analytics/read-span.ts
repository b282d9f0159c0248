import { invalidField } from '#src/shape/invalid-field'
import { type Period, periodDefault, periods } from './rules'
import type { CategoryFilter } from './schema'

/** Reads the period and category of a query. Throws `invalid` for a number of days that is not one of the periods. */
export function readSpan(query: { days?: number; category?: CategoryFilter }) {
  const days = query.days ?? periodDefault
  const period: Period | undefined = periods.find((each) => each === days)
  if (period === undefined) throw invalidField('days', `Expected one of: ${periods.join(', ')}`)
  return { days: period, category: query.category ?? 'all' }
}
