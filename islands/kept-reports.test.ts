import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ProgressReport } from '#src/listening/schema'
import { dropReports, keepReport, readReports, withReport } from './kept-reports'

const report = (changes: Partial<ProgressReport>): ProgressReport => ({
  contentId: 'a',
  contentType: 'story',
  lastPositionSec: 100,
  sequence: 1,
  ...changes,
})

describe('reports that wait for the network', () => {
  test('are one an item: the last word, with a completion that was reached before it', () => {
    const kept = withReport([report({ completed: true })], report({ lastPositionSec: 30, sequence: 2 }))
    expect(kept).toEqual([report({ lastPositionSec: 30, sequence: 2, completed: true })])
    expect(withReport(kept, report({ contentId: 'b' }))).toHaveLength(2)
  })

  test('are not replaced by an earlier one, nor by a bare start', () => {
    const kept = [report({ sequence: 5, completed: false })]
    expect(withReport(kept, report({ lastPositionSec: 3, sequence: 4, completed: false }))).toEqual(kept)
    expect(
      withReport(kept, report({ lastPositionSec: 3, sequence: 6, reason: 'play', completed: false })),
    ).toEqual(kept)
    expect(withReport(kept, report({ lastPositionSec: 0, sequence: 6, completed: false }))).toEqual(kept)
  })

  test('are no more than fifty', () => {
    let kept: ProgressReport[] = []
    for (let each = 0; each < 60; each += 1) kept = withReport(kept, report({ contentId: `${each}` }))
    expect(kept).toHaveLength(50)
    expect(kept.at(-1)?.contentId).toBe('59')
  })
})

describe('reports in a browser that two people use', () => {
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
  // Other files of the same run are on a server.
  afterAll(() => void Reflect.deleteProperty(globalThis, 'window'))

  test('are sent by their owner alone; a visitor’s go with whoever signs in', () => {
    keepReport(report({ owner: 'ana' }))
    keepReport(report({ contentId: 'b' }))
    expect(readReports('ana')).toEqual([report({ owner: 'ana' }), report({ contentId: 'b' })])
    expect(readReports('ben')).toEqual([report({ contentId: 'b' })])
    expect(readReports('')).toEqual([report({ contentId: 'b' })])
  })

  test('of the same item do not replace another’s', () => {
    keepReport(report({ owner: 'ana', lastPositionSec: 40 }))
    keepReport(report({ owner: 'ben', lastPositionSec: 90, sequence: 2 }))
    expect(readReports('ana')).toEqual([report({ owner: 'ana', lastPositionSec: 40 })])
  })

  test('go when their member signs out, also what the player says after it', () => {
    keepReport(report({ owner: 'ana' }))
    keepReport(report({ owner: 'ben' }))
    dropReports('ana')
    keepReport(report({ owner: 'ana', sequence: 9 }))
    expect(readReports('ana')).toEqual([])
    expect(readReports('ben')).toHaveLength(1)
  })
})
