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
 * The age is that of the item, capped at the window's length. Without the cap, older items would be weighed by ½^700
 * and could never return. The numbers are in rules.ts.
 */

/**
 * The lower bound of the share of upvotes at 95 % confidence (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927, 209–212; for
 * ranking: E. Miller, "How Not To Sort By Average Rating", 2009). 0 without votes.
 *
 * The bounds are the roots of (1 + z²/n)x² − (2p + z²/n)x + p² = 0. The lower one is computed from the product of the
 * roots and the upper one: the textbook formula subtracts two nearly equal numbers, which gives 2e-17 for the share 0.
 */
export function wilsonBound(upvotes: SQL, downvotes: SQL): SQL {
  const z = number(wilsonZ)
  return sql`(
    select coalesce(share * (share / (share + ${z} * ${z} / (2 * n) + ${z} * sqrt((share * (1 - share) + ${z} * ${z} / (4 * n)) / n))), 0)
    from (select ${upvotes} / n as share, n from (select nullif(${upvotes} + ${downvotes}, 0)::float8 as n) as votes) as shares)`
}

/**
 * The columns that depend on the library's mean rating, as a lateral row: the Bayesian mean, (C·m + Σ) ÷ (C + n), which
 * is IMDb's weighted rating of its Top 250, from 1 to 5; the quality; and the key that orders a list.
 *
 * All ageing items lose the same share of their score in the same time, so log₂ of the scores at one fixed instant
 * orders them for good. The score of an item that does not age yet, or no longer, is constant.
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

/**
 * The summand that turns log₂ of a score without decay into the key: it undoes the decay since the Unix epoch, or
 * applies the full decay of an item that has stopped ageing.
 */
function agedBy(timeframe: Timeframe): SQL {
  const hours = timeframeHours[timeframe]
  if (hours === null) return sql`0`
  const halfLives = sql`${hoursOf(sql`published_at`)} / ${number(hours * halfLifeShare)}`
  return sql`case when is_ageing then ${halfLives} when ageing_changes_at is null then ${number(-1 / halfLifeShare)} else 0 end`
}

/** The score of an item at an instant. */
export function scoreAt(timeframe: Timeframe, now: SQL): SQL {
  const undecayed = sql`quality * log(1 + views::float8)`
  const hours = timeframeHours[timeframe]
  if (hours === null) return undecayed
  const age = sql`least(greatest(${hoursOf(now)} - ${hoursOf(sql`published_at`)}, 0), ${number(hours)})`
  return sql`${undecayed} * power(0.5::float8, ${age} / ${number(hours * halfLifeShare)})`
}

const hoursOf = (instant: SQL) => sql`(extract(epoch from ${instant})::float8 / 3600)`

/** A constant as a double in the SQL text: a parameter would take the type of its neighbour. */
function number(value: number): SQL {
  return sql.raw(`(${value})::float8`)
}
