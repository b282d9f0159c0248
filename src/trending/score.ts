import { type SQL, sql } from 'drizzle-orm'
import {
  halfLifeShare,
  priorRatings,
  ratingHighest,
  ratingLowest,
  type Timeframe,
  timeframeHours,
  votesShare,
  wilsonZ,
} from './rules'

/**
 * The formula of the ranking as SQL over the columns of `trending_items`.
 *
 * score = quality × log10(1 + views in the window) × ½^(age ÷ half-life)
 * quality = half the Wilson bound of the votes, half the Bayesian mean of the ratings, each from 0 to 1
 *
 * The age is the item's own and ends at the window's length: else a library's older items, weighed by ½^700, could
 * never come back. Rules.ts has the numbers.
 */

/**
 * The lower bound of the share of upvotes that one can be 95 % sure of (E. B. Wilson, J. Am. Stat. Assoc. 22,
 * 1927, 209–212; for ranking: E. Miller, "How Not To Sort By Average Rating", 2009). 0 without votes.
 *
 * The bounds are the roots of (1 + z²/n)x² − (2p + z²/n)x + p² = 0. The lower one is taken from their product and
 * the upper one: the textbook's difference of two nearly equal numbers leaves 2e-17 of the share 0.
 */
export function wilsonBound(upvotes: SQL, downvotes: SQL): SQL {
  const z = number(wilsonZ)
  return sql`(
    select coalesce(share * (share / (share + ${z} * ${z} / (2 * n) + ${z} * sqrt((share * (1 - share) + ${z} * ${z} / (4 * n)) / n))), 0)
    from (select ${upvotes} / n as share, n from (select nullif(${upvotes} + ${downvotes}, 0)::float8 as n) as votes) as shares)`
}

/**
 * The columns that hang on the library's mean rating, as a lateral row: the Bayesian mean, (C·m + Σ) ÷ (C + n), the
 * weighted rating that IMDb's Top 250 is known by, from 1 to 5; the quality; and the key that orders the items of a
 * list.
 *
 * Scores of ageing items fall by the same share in the same time, so log₂ of a score at any one instant orders them for
 * good. Of the others, which do not age yet or any longer, the score itself stands still.
 */
export function rated(timeframe: Timeframe, meanRating: SQL): SQL {
  return sql`(
    select bayesian_rating, quality,
      case when quality > 0 and views > 0 then ln(quality * log(1 + views::float8)) / ln(2::float8) + ${agedBy(timeframe)} else '-infinity' end as key
    from (select bayesian_rating, ${number(votesShare)} * vote_bound
        + ${number(1 - votesShare)} * ((bayesian_rating - ${number(ratingLowest)}) / ${number(ratingHighest - ratingLowest)}) as quality
      from (select (${number(priorRatings)} * ${meanRating} + rating_sum) / (${number(priorRatings)} + ratings) as bayesian_rating) as means
    ) as qualities
  )`
}

/** What is added to log₂ of a score without decay: the decay at the Unix epoch, or at the end of ageing. */
function agedBy(timeframe: Timeframe): SQL {
  const hours = timeframeHours[timeframe]
  if (hours === null) return sql`0`
  const halfLives = sql`${hoursOf(sql`published_at`)} / ${number(hours * halfLifeShare)}`
  return sql`case when is_ageing then ${halfLives} when ageing_changes_at is null then ${number(-1 / halfLifeShare)} else 0 end`
}

/** The score at an instant. */
export function scoreAt(timeframe: Timeframe, now: SQL): SQL {
  const undecayed = sql`quality * log(1 + views::float8)`
  const hours = timeframeHours[timeframe]
  if (hours === null) return undecayed
  const age = sql`least(greatest(${hoursOf(now)} - ${hoursOf(sql`published_at`)}, 0), ${number(hours)})`
  return sql`${undecayed} * power(0.5::float8, ${age} / ${number(hours * halfLifeShare)})`
}

const hoursOf = (instant: SQL) => sql`(extract(epoch from ${instant})::float8 / 3600)`

/** A number of the rules as a double: as a parameter it would have the type of its neighbour. */
function number(value: number): SQL {
  return sql.raw(`(${value})::float8`)
}
