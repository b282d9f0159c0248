import { type SQL, sql } from 'drizzle-orm'
import { noVersion, sameTotalSeconds } from './rules'

/**
 * The position after a report, as an item of a FROM clause named `next` with the columns of `stored`.
 *
 * `stored` is the present row (position_sec, total_sec, completed, device_id, sequence, reported_at; nulls if there is
 * none). `report` has the same columns, and reason and based_on.
 *
 * Once completed, a position stays completed. It is that of the last real listening or seek, by the reporters' times
 * (never later than now), in whatever order reports arrive. Late and stale reports change nothing; neither does a
 * repeated report with the same number.
 *
 * A device numbers its reports, so its clock may be wrong. Of two devices, the one that had read the other's position
 * is the later; if a report has no version, the times decide.
 *
 * A player that is opened reports its start before it has sought to the saved position. A player that could not read
 * the saved position reports everything as `play`. Such a bare report moves a position forward, never back, and leaves
 * the time and number of the last real listening, so a late report of real listening still counts.
 */
export function nextPosition(stored: SQL, report: SQL): SQL {
  return sql`lateral (
    select
      case when is_late then held_sec when is_bare then greatest(held_sec, moved_sec) else reached_sec end as position_sec,
      case when is_unheard then held_total_sec else given_total_sec end as total_sec,
      ${report}.completed or coalesce(${stored}.completed, false) as completed,
      case when is_unheard then ${stored}.device_id else ${report}.device_id end as device_id,
      case when is_unheard then ${stored}.sequence else ${report}.sequence end as sequence,
      -- An earlier report is older, whatever the two clocks say.
      case when is_unheard then held_at else greatest(${report}.reported_at, held_at) end as reported_at
    from
      -- A position and its total belong together: reading and listening have totals of their own. Any report of real
      -- listening wins over a start without a saved position, however old it is.
      (select
        coalesce(${stored}.position_sec, 0) as held_sec,
        coalesce(${stored}.total_sec, ${report}.total_sec) as held_total_sec,
        coalesce(${report}.total_sec, ${stored}.total_sec) as given_total_sec,
        coalesce(${stored}.reported_at, 'epoch') as held_at,
        ${versionOf(stored)} as held_version) as held,
      lateral (select greatest(0, least(${report}.position_sec, given_total_sec)) as reached_sec) as reached,
      lateral (select
        ${rescaled(sql`reached_sec`, sql`given_total_sec`, sql`held_total_sec`)} as moved_sec,
        -- isBare of rules.ts
        coalesce(${report}.reason, '') = 'play'
          or (coalesce(${report}.reason, '') <> 'seek' and ${report}.position_sec < 1) as is_bare,
        case
          when ${stored}.device_id = ${report}.device_id and ${stored}.sequence is not null and ${report}.sequence is not null
            then ${report}.sequence <= ${stored}.sequence
          when ${report}.based_on is not null then ${report}.based_on <> held_version
          else ${report}.reported_at < held_at
        end as is_late) as judged,
      lateral (select is_late or is_bare as is_unheard) as heard
  ) as next`
}

/** `versionOf` of rules.ts as SQL. */
function versionOf(stored: SQL): SQL {
  return sql`case when ${stored}.reported_at > 'epoch'
    then concat(${stored}.device_id, '/', coalesce(${stored}.sequence, floor(extract(epoch from ${stored}.reported_at) * 1000)::bigint))
    else ${noVersion} end`
}

/** `rescalePosition` of rules.ts as SQL. */
function rescaled(positionSec: SQL, totalSec: SQL, otherTotalSec: SQL): SQL {
  return sql`case when ${totalSec} > 0 and ${otherTotalSec} > 0 and abs(${totalSec} - ${otherTotalSec}) > ${sameTotalSeconds}
    then ${positionSec} / ${totalSec} * ${otherTotalSec} else ${positionSec} end`
}
