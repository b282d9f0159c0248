import { expect, test } from 'bun:test'
import { dateAfter, dateIn, daysBetween, type EnrolmentProgress, isTimeZone, stateOf } from './rules'

const progress = (more: Partial<EnrolmentProgress> = {}): EnrolmentProgress => ({
  totalDays: 10,
  startedOn: '2026-11-01',
  completedDays: {},
  pausedOn: null,
  ...more,
})
const done = (...days: number[]) => Object.fromEntries(days.map((day) => [day, '2026-11-01']))

test('day 1 is open and due on the first evening', () => {
  expect(stateOf(progress(), '2026-11-01')).toEqual({
    currentDay: 1,
    nextFlowDate: '2026-11-01',
    openDays: 1,
    doneDays: 0,
    isComplete: false,
  })
})

test('completing a day in time makes the next one due tomorrow', () => {
  const state = stateOf(progress({ completedDays: done(1, 2, 3) }), '2026-11-03')
  expect(state).toMatchObject({ currentDay: 4, nextFlowDate: '2026-11-04', openDays: 3 })
})

test('a missed day stays open and resets nothing', () => {
  const state = stateOf(progress({ completedDays: done(1, 3, 4) }), '2026-11-05')
  expect(state).toMatchObject({ currentDay: 2, nextFlowDate: '2026-11-02', openDays: 5, doneDays: 3 })
})

test('pausing opens no further day and postpones the next one', () => {
  const paused = progress({ completedDays: done(1, 2), pausedOn: '2026-11-02' })
  expect(stateOf(paused, '2026-11-09')).toMatchObject({
    currentDay: 3,
    openDays: 2,
    nextFlowDate: '2026-11-10',
  })
})

test('completing all days completes the challenge, even after it lost a day', () => {
  expect(stateOf(progress({ totalDays: 3, completedDays: done(1, 2, 3, 4) }), '2026-11-20')).toEqual({
    currentDay: 3,
    nextFlowDate: null,
    openDays: 3,
    doneDays: 3,
    isComplete: true,
  })
})

test('travelling west takes no completed day away', () => {
  expect(stateOf(progress({ completedDays: done(1) }), '2026-10-31')).toMatchObject({
    currentDay: 2,
    openDays: 0,
    doneDays: 1,
  })
})

test('dates follow the member’s own midnight, across daylight saving changes', () => {
  const date = new Date('2026-11-21T10:30:00Z')
  expect(['UTC', 'Pacific/Kiritimati', 'Pacific/Honolulu'].map((zone) => dateIn(zone, date))).toEqual([
    '2026-11-21',
    '2026-11-22',
    '2026-11-21',
  ])
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  expect(dateAfter('2026-10-24', 2)).toBe('2026-10-26')
  expect(['Europe/Berlin', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, false, false])
})
