import { describe, expect, test } from 'bun:test'
import {
  isMovedElsewhere,
  nextPosition,
  noVersion,
  type Position,
  type PositionReport,
  rewindSeconds,
  versionOf,
} from './rules'

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
const positionAfter = (stored: Position | null, changes: Partial<PositionReport>) =>
  nextPosition(stored, report(changes), now).positionSec

describe('a position', () => {
  test('moves on by listening, and back by a seek or by listening from further back', () => {
    expect(positionAfter(phone, { positionSec: 734, reportedAt: at(11) })).toBe(734)
    expect(positionAfter(phone, { positionSec: 0, reason: 'seek', reportedAt: at(11) })).toBe(0)
    expect(positionAfter(phone, { positionSec: 190, reportedAt: at(11), deviceId: 'here' })).toBe(190)
  })

  test('is not moved by what is late: an older time of another device, an older number of its own', () => {
    expect(positionAfter(phone, { positionSec: 190, deviceId: 'here', reportedAt: at(9) })).toBe(724)
    expect(positionAfter(phone, { positionSec: 190, sequence: 10, reportedAt: at(11) })).toBe(724)
    expect(positionAfter(phone, { positionSec: 190, sequence: 9, reason: 'seek' })).toBe(724)
  })

  test('of two devices is that of the one that knew of the other, whatever their clocks say', () => {
    const version = versionOf(phone)
    const here = { positionSec: 35, deviceId: 'here', sequence: 3 }
    expect(positionAfter(phone, { ...here, basedOn: 'here/2', reportedAt: at(30) })).toBe(724)
    expect(positionAfter(phone, { ...here, basedOn: noVersion, reason: 'seek', reportedAt: at(30) })).toBe(
      724,
    )
    expect(positionAfter(phone, { ...here, basedOn: version, reportedAt: at(9) })).toBe(35)
    const next = nextPosition(phone, report({ ...here, basedOn: version, reportedAt: at(9) }), now)
    expect(next).toMatchObject({ deviceId: 'here', reportedAt: phone.reportedAt })
    expect(isMovedElsewhere(versionOf(next), version, 'phone')).toBe(true)
    expect(isMovedElsewhere(versionOf(next), version, 'here')).toBe(false)
  })

  test('is not moved back by a bare start, which may move it on', () => {
    expect(positionAfter(phone, { positionSec: 0, reportedAt: at(11) })).toBe(724)
    expect(positionAfter(phone, { positionSec: 20, reason: 'play', reportedAt: at(11) })).toBe(724)
    expect(positionAfter(phone, { positionSec: 740, reason: 'play', reportedAt: at(11) })).toBe(740)
  })

  test('that was only a bare start gives way to real listening that arrives late', () => {
    const bare = nextPosition(null, report({ positionSec: 3, reason: 'play', reportedAt: at(20) }), now)
    expect(positionAfter(bare, { positionSec: 190, deviceId: 'here', reportedAt: at(5) })).toBe(190)
    const moved = nextPosition(
      phone,
      report({ positionSec: 740, reason: 'play', reportedAt: at(20), deviceId: 'here' }),
      now,
    )
    expect(positionAfter(moved, { positionSec: 300, sequence: 11, reportedAt: at(15) })).toBe(300)
  })

  test('keeps the total it belongs to, whatever a late reading says of its own', () => {
    const next = nextPosition(
      phone,
      report({ positionSec: 10, totalSec: 240, reportedAt: at(1), deviceId: 'here' }),
      now,
    )
    expect(next).toEqual(phone)
    const bare = nextPosition(
      phone,
      report({ positionSec: 235, totalSec: 240, reason: 'play', reportedAt: at(11) }),
      now,
    )
    expect(bare.positionSec).toBeCloseTo((235 / 240) * 764)
    expect(bare.totalSec).toBe(764)
  })

  test('never stands past the end, and a clock that runs ahead is not believed', () => {
    const next = nextPosition(
      phone,
      report({ positionSec: 9_999, reportedAt: new Date(now.getTime() + 3_600_000) }),
      now,
    )
    expect(next.positionSec).toBe(764)
    expect(next.reportedAt).toEqual(now)
  })

  test('is apart from completion, which stays', () => {
    const done = nextPosition(phone, report({ completed: true, sequence: 3 }), now)
    expect(done).toEqual({ ...phone, completed: true })
    expect(nextPosition(done, report({ positionSec: 5, reportedAt: at(12) }), now).completed).toBe(true)
  })
})

test('after a pause one goes back the further the longer it was', () => {
  const minute = 60_000
  expect(
    [0, 4 * minute, 5 * minute, 59 * minute, 60 * minute, 1_439 * minute, 1_440 * minute].map(rewindSeconds),
  ).toEqual([0, 0, 5, 5, 15, 15, 30])
})
