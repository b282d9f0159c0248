import { describe, expect, test } from 'bun:test'
import {
  hasMoved,
  isUnfinishedReading,
  markSent,
  moveTo,
  openSession,
  reasonOf,
  resumeFraction,
} from './session'

const opened = openSession(0, 0, 0)
const newsAt = (fraction: number, nowMs: number, session = opened) => moveTo(session, fraction, nowMs).news

describe('reading', () => {
  test('is reported after five seconds, or after more than ten percentage points', () => {
    expect(newsAt(0.05, 4_999).isReportDue).toBe(false)
    expect(newsAt(0.05, 5_000).isReportDue).toBe(true)
    expect(newsAt(0.1, 1_000).isReportDue).toBe(false)
    expect(newsAt(0.11, 1_000).isReportDue).toBe(true)
  })

  test('that does not move is not reported', () => {
    expect(newsAt(0, 60_000).isReportDue).toBe(false)
    const { session } = moveTo(opened, 0.3, 6_000)
    expect(hasMoved(session)).toBe(true)
    expect(hasMoved(markSent(session, 6_000))).toBe(false)
  })

  test('backwards is reported by time alone', () => {
    const half = openSession(0, 0.5, 0.5)
    expect(newsAt(0.2, 1_000, half).isReportDue).toBe(false)
    expect(newsAt(0.2, 5_000, half).isReportDue).toBe(true)
  })

  test('passes each milestone once', () => {
    const { session, news } = moveTo(opened, 0.52, 1_000)
    expect(news.milestones).toEqual([25, 50])
    expect(newsAt(0.6, 2_000, session).milestones).toEqual([])
    expect(newsAt(0.76, 2_000, session).milestones).toEqual([75])
  })

  test('that goes on where it stopped has passed what lies before', () => {
    expect(newsAt(0.61, 1_000, openSession(0, 0.6, 0.6)).milestones).toEqual([])
  })

  test('is complete at ninety percent, once, and says so at once', () => {
    expect(newsAt(0.89, 1_000).isCompletedNow).toBe(false)
    const { session, news } = moveTo(opened, 0.9, 1_000)
    expect(news).toMatchObject({ isCompletedNow: true, isReportDue: true })
    expect(newsAt(1, 1_100, markSent(session, 1_000)).isCompletedNow).toBe(false)
  })

  test('closed after more than thirty seconds and unfinished is reported', () => {
    expect(isUnfinishedReading(opened, 30_000)).toBe(false)
    expect(isUnfinishedReading(opened, 30_001)).toBe(true)
    expect(isUnfinishedReading(moveTo(opened, 1, 1_000).session, 60_000)).toBe(false)
  })

  test('a glance at the start does not move the saved position back, reading again does', () => {
    const again = moveTo(openSession(0, 0, 0.6), 0.05, 6_000).session
    expect(reasonOf(again, null, 6_000)).toBe('play')
    expect(reasonOf(again, 'close', 6_000)).toBe('play')
    expect(reasonOf(again, 'close', 31_000)).toBe('close')
    expect(reasonOf(moveTo(again, 0.7, 7_000).session, null, 7_000)).toBeNull()
  })

  test('is taken up where it stopped, but not at its first lines or its end', () => {
    expect(resumeFraction(120, 240)).toBe(0.5)
    expect(resumeFraction(2, 240)).toBeNull()
    expect(resumeFraction(230, 240)).toBeNull()
    expect(resumeFraction(10, 0)).toBeNull()
  })
})
