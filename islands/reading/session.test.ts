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

describe('reading session', () => {
  test('reports after five seconds, or after more than ten percentage points', () => {
    expect(newsAt(0.05, 4_999).isReportDue).toBe(false)
    expect(newsAt(0.05, 5_000).isReportDue).toBe(true)
    expect(newsAt(0.1, 1_000).isReportDue).toBe(false)
    expect(newsAt(0.11, 1_000).isReportDue).toBe(true)
  })

  test('does not report an unchanged position', () => {
    expect(newsAt(0, 60_000).isReportDue).toBe(false)
    const { session } = moveTo(opened, 0.3, 6_000)
    expect(hasMoved(session)).toBe(true)
    expect(hasMoved(markSent(session, 6_000))).toBe(false)
  })

  test('reports a backward move only after five seconds', () => {
    const half = openSession(0, 0.5, 0.5)
    expect(newsAt(0.2, 1_000, half).isReportDue).toBe(false)
    expect(newsAt(0.2, 5_000, half).isReportDue).toBe(true)
  })

  test('reports each milestone once', () => {
    const { session, news } = moveTo(opened, 0.52, 1_000)
    expect(news.milestones).toEqual([25, 50])
    expect(newsAt(0.6, 2_000, session).milestones).toEqual([])
    expect(newsAt(0.76, 2_000, session).milestones).toEqual([75])
  })

  test('does not report milestones before the position at which it resumed', () => {
    expect(newsAt(0.61, 1_000, openSession(0, 0.6, 0.6)).milestones).toEqual([])
  })

  test('is complete at 90 percent, once, and reports that at once', () => {
    expect(newsAt(0.89, 1_000).isCompletedNow).toBe(false)
    const { session, news } = moveTo(opened, 0.9, 1_000)
    expect(news).toMatchObject({ isCompletedNow: true, isReportDue: true })
    expect(newsAt(1, 1_100, markSent(session, 1_000)).isCompletedNow).toBe(false)
  })

  test('is reported when closed unfinished after more than thirty seconds', () => {
    expect(isUnfinishedReading(opened, 30_000)).toBe(false)
    expect(isUnfinishedReading(opened, 30_001)).toBe(true)
    expect(isUnfinishedReading(moveTo(opened, 1, 1_000).session, 60_000)).toBe(false)
  })

  test('moves the saved position back only after reading for a while, not after a glance at the start', () => {
    const again = moveTo(openSession(0, 0, 0.6), 0.05, 6_000).session
    expect(reasonOf(again, null, 6_000)).toBe('play')
    expect(reasonOf(again, 'close', 6_000)).toBe('play')
    expect(reasonOf(again, 'close', 31_000)).toBe('close')
    expect(reasonOf(moveTo(again, 0.7, 7_000).session, null, 7_000)).toBeNull()
  })

  test('resumes at the saved position, except near the start or the end', () => {
    expect(resumeFraction(120, 240)).toBe(0.5)
    expect(resumeFraction(2, 240)).toBeNull()
    expect(resumeFraction(230, 240)).toBeNull()
    expect(resumeFraction(10, 0)).toBeNull()
  })
})
