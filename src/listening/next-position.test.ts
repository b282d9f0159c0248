import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testDatabase } from '#db/testing'
import { nextPosition } from './next-position'
import { isMovedElsewhere, noVersion, type ProgressReason, versionOf } from './rules'

const db = await testDatabase()

type Position = {
  positionSec: number
  totalSec: number | null
  completed: boolean
  deviceId: string | null
  sequence: number | null
  reportedAt: Date
}
type PositionReport = Position & { reason: ProgressReason | null; basedOn: string | null }

const now = new Date('2026-11-21T22:00:00Z')
const at = (minutes: number) => new Date(now.getTime() - 3_600_000 + minutes * 60_000)

const phone: Position = {
  positionSec: 724,
  totalSec: 764,
  completed: false,
  deviceId: 'phone',
  sequence: 10,
  reportedAt: at(10),
}
const report = (changes: Partial<PositionReport>): PositionReport => ({
  ...phone,
  reason: null,
  sequence: 11,
  basedOn: null,
  ...changes,
})
const positionAfter = async (stored: Position | null, changes: Partial<PositionReport>) =>
  (await next(stored, report(changes))).positionSec

/** Applies the rule to a position and a report, without a table. */
async function next(stored: Position | null, reported: PositionReport): Promise<Position> {
  const [row] = await db.execute<Omit<Position, 'reportedAt'> & { reportedAt: string }>(sql`
    select next.position_sec as "positionSec", next.total_sec as "totalSec", next.completed, next.device_id as "deviceId",
      next.sequence::int as sequence, to_json(next.reported_at) #>> '{}' as "reportedAt"
    from (select 1) as one left join jsonb_to_recordset(${JSON.stringify(stored ? [recordOf(stored)] : [])}::text::jsonb)
        as stored(${columns}) on true,
      jsonb_to_record(${JSON.stringify(recordOf(reported))}::text::jsonb)
        as report(${columns}, reason text, based_on text),
      ${nextPosition(sql`stored`, sql`report`)}`)
  if (!row) throw new Error('The rule answered no row.')
  return { ...row, reportedAt: new Date(row.reportedAt) }
}

const columns = sql`position_sec float8, total_sec float8, completed boolean, device_id text, sequence bigint, reported_at timestamptz`
const recordOf = ({
  positionSec,
  totalSec,
  completed,
  deviceId,
  sequence,
  reportedAt,
  ...words
}: Position & Partial<PositionReport>) => ({
  position_sec: positionSec,
  total_sec: totalSec,
  completed,
  device_id: deviceId,
  sequence,
  reported_at: reportedAt.toISOString(),
  reason: words.reason,
  based_on: words.basedOn,
})

describe('stored position', () => {
  test('moves forward on listening, and back on a seek or on another device’s later report', async () => {
    expect(await positionAfter(phone, { positionSec: 734, reportedAt: at(11) })).toBe(734)
    expect(await positionAfter(phone, { positionSec: 0, reason: 'seek', reportedAt: at(11) })).toBe(0)
    expect(await positionAfter(phone, { positionSec: 190, reportedAt: at(11), deviceId: 'here' })).toBe(190)
  })

  test('ignores an older time of another device and an older sequence number of its own', async () => {
    expect(await positionAfter(phone, { positionSec: 190, deviceId: 'here', reportedAt: at(9) })).toBe(724)
    expect(await positionAfter(phone, { positionSec: 190, sequence: 10, reportedAt: at(11) })).toBe(724)
    expect(await positionAfter(phone, { positionSec: 190, sequence: 9, reason: 'seek' })).toBe(724)
  })

  test('follows the device that had read the other’s version, whatever the clocks say', async () => {
    const version = versionOf(phone)
    const here = { positionSec: 35, deviceId: 'here', sequence: 3 }
    expect(await positionAfter(phone, { ...here, basedOn: 'here/2', reportedAt: at(30) })).toBe(724)
    expect(
      await positionAfter(phone, { ...here, basedOn: noVersion, reason: 'seek', reportedAt: at(30) }),
    ).toBe(724)
    expect(await positionAfter(phone, { ...here, basedOn: version, reportedAt: at(9) })).toBe(35)
    const after = await next(phone, report({ ...here, basedOn: version, reportedAt: at(9) }))
    expect(after).toMatchObject({ deviceId: 'here', reportedAt: phone.reportedAt })
    expect(isMovedElsewhere(versionOf(after), version, 'phone')).toBe(true)
    expect(isMovedElsewhere(versionOf(after), version, 'here')).toBe(false)
  })

  test('is not moved back by a start without listening, only forward', async () => {
    expect(await positionAfter(phone, { positionSec: 0, reportedAt: at(11) })).toBe(724)
    expect(await positionAfter(phone, { positionSec: 20, reason: 'play', reportedAt: at(11) })).toBe(724)
    expect(await positionAfter(phone, { positionSec: 740, reason: 'play', reportedAt: at(11) })).toBe(740)
  })

  test('replaces a start without listening by earlier listening that arrives late', async () => {
    const bare = await next(null, report({ positionSec: 3, reason: 'play', reportedAt: at(20) }))
    expect(await positionAfter(bare, { positionSec: 190, deviceId: 'here', reportedAt: at(5) })).toBe(190)
    const moved = await next(
      phone,
      report({ positionSec: 740, reason: 'play', reportedAt: at(20), deviceId: 'here' }),
    )
    expect(await positionAfter(moved, { positionSec: 300, sequence: 11, reportedAt: at(15) })).toBe(300)
  })

  test('keeps its total duration and scales a report with another total to it', async () => {
    const after = await next(
      phone,
      report({ positionSec: 10, totalSec: 240, reportedAt: at(1), deviceId: 'here' }),
    )
    expect(after).toEqual(phone)
    const bare = await next(
      phone,
      report({ positionSec: 235, totalSec: 240, reason: 'play', reportedAt: at(11) }),
    )
    expect(bare.positionSec).toBeCloseTo((235 / 240) * 764)
    expect(bare.totalSec).toBe(764)
  })

  test('never exceeds the total duration', async () => {
    expect(await positionAfter(phone, { positionSec: 9_999, reportedAt: at(11) })).toBe(764)
  })

  test('changes independently of completion, which is permanent', async () => {
    const done = await next(phone, report({ completed: true, sequence: 3 }))
    expect(done).toEqual({ ...phone, completed: true })
    expect((await next(done, report({ positionSec: 5, reportedAt: at(12) }))).completed).toBe(true)
  })
})
