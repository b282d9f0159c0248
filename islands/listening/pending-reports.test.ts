import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ProgressReport } from '#src/listening/schema'
import { dropReports, readReports, storeReport, withReport } from './pending-reports'

const report = (changes: Partial<ProgressReport>): ProgressReport => ({
  contentId: 'a',
  contentType: 'story',
  lastPositionSec: 100,
  sequence: 1,
  ...changes,
})

describe('progress reports that wait for the network', () => {
  test('keep only the latest report of an item, and its completion', () => {
    const stored = withReport([report({ completed: true })], report({ lastPositionSec: 30, sequence: 2 }))
    expect(stored).toEqual([report({ lastPositionSec: 30, sequence: 2, completed: true })])
    expect(withReport(stored, report({ contentId: 'b' }))).toHaveLength(2)
  })

  test('are not replaced by an earlier report, nor by one that playback has only started', () => {
    const stored = [report({ sequence: 5, completed: false })]
    expect(withReport(stored, report({ lastPositionSec: 3, sequence: 4, completed: false }))).toEqual(stored)
    expect(
      withReport(stored, report({ lastPositionSec: 3, sequence: 6, reason: 'play', completed: false })),
    ).toEqual(stored)
    expect(withReport(stored, report({ lastPositionSec: 0, sequence: 6, completed: false }))).toEqual(stored)
  })

  test('are limited to the newest fifty', () => {
    let stored: ProgressReport[] = []
    for (let each = 0; each < 60; each += 1) stored = withReport(stored, report({ contentId: `${each}` }))
    expect(stored).toHaveLength(50)
    expect(stored.at(-1)?.contentId).toBe('59')
  })
})

describe('pending progress reports in a shared browser', () => {
  const stored = new Map<string, string>()
  beforeEach(() => {
    stored.clear()
    const localStorage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    }
    Object.assign(globalThis, { window: { localStorage } })
  })
  // Other test files in the same run expect the globals of a server.
  afterAll(() => void Reflect.deleteProperty(globalThis, 'window'))

  test('are sent by their owner only, and a visitor’s by the member who signs in', () => {
    storeReport(report({ owner: 'ana' }))
    storeReport(report({ contentId: 'b' }))
    expect(readReports('ana')).toEqual([report({ owner: 'ana' }), report({ contentId: 'b' })])
    expect(readReports('ben')).toEqual([report({ contentId: 'b' })])
    expect(readReports('')).toEqual([report({ contentId: 'b' })])
  })

  test('do not replace another member’s report of the same item', () => {
    storeReport(report({ owner: 'ana', lastPositionSec: 40 }))
    storeReport(report({ owner: 'ben', lastPositionSec: 90, sequence: 2 }))
    expect(readReports('ana')).toEqual([report({ owner: 'ana', lastPositionSec: 40 })])
  })

  test('are deleted when their member signs out, and none are stored for that member afterwards', () => {
    storeReport(report({ owner: 'ana' }))
    storeReport(report({ owner: 'ben' }))
    dropReports('ana')
    storeReport(report({ owner: 'ana', sequence: 9 }))
    expect(readReports('ana')).toEqual([])
    expect(readReports('ben')).toHaveLength(1)
  })
})
