import { type SQL, sql } from 'drizzle-orm'
import { itemTypes } from '#src/story/rules'
import type { ContentType, Order, Timeframe } from './rules'
import { scoreAt } from './score'

type Places = {
  timeframe: Timeframe
  type: ContentType
  order: Order
  limit: number
  /** Condition on `stories`, which is joined if it is given. */
  isShown?: SQL
}

/**
 * The columns that decide between items with equal values in the order's own column: quality, views, then the younger
 * item.
 */
const ties = ['quality', 'views', 'published_at', 'story_id']

/** The columns of each order, all descending. The indexes have the key instead of the score. */
const columnsOf: Record<Order, readonly string[]> = {
  trending: ['score', ...ties],
  'top-rated': ['bayesian_rating', 'ratings', 'score', ...ties],
  'most-viewed': ['views', 'score', 'quality', 'published_at', 'story_id'],
}

/**
 * The first items of a ranking: `place`, from 1, `story_id`, `score` at the window's `as_of`, and the columns that
 * decide between equal scores. For each type, ageing and other items are two lists. A covering index returns each of
 * them in order; the first items of each are merged.
 */
export function placesOf({ timeframe, type, order, limit, isShown }: Places): SQL {
  const columns = sql.raw(
    [...new Set(['key', ...columnsOf[order], ...ties])]
      .filter((each) => each !== 'score')
      .map((each) => `item.${each}`)
      .join(', '),
  )
  const isRated = order === 'top-rated' ? sql`and item.ratings > 0` : sql``
  const shown = isShown ? sql`join stories on stories.id = item.story_id and ${isShown}` : sql``
  const lists = (type === 'all' ? itemTypes : [type]).flatMap((each) =>
    ['true', 'false'].map(
      (isAgeing) => sql`(
        select ${columns} from trending_items as item ${shown}
        where item.timeframe = ${timeframe} and item.type = ${each} and item.is_ageing = ${sql.raw(isAgeing)} ${isRated}
        order by ${descending('key', order)} limit ${limit})`,
    ),
  )
  const asOf = sql`(select as_of from trending_windows where timeframe = ${timeframe})`
  return sql`
    select story_id, score, quality, views, published_at, row_number() over (order by ${descending('score', order)}) as place from (
      select listed.*, ${scoreAt(timeframe, asOf)} as score from (${sql.join(lists, sql` union all `)}) as listed
    ) as item order by place limit ${limit}`
}

function descending(score: 'score' | 'key', order: Order): SQL {
  const columns = columnsOf[order].map((each) => `item.${each === 'score' ? score : each} desc`)
  return sql.raw(columns.join(', '))
}

/** Whether a row, with its score, is at or above another in the order Trending. */
export function isNotBelow(row: string, other: string): SQL {
  const placeOf = (name: string) => columnsOf.trending.map((each) => `${name}.${each}`).join(', ')
  return sql.raw(`(${placeOf(row)}) >= (${placeOf(other)})`)
}
