import { describe, expect, test } from 'bun:test'
import type { ProgressReport } from '#src/listening/schema'
import { withReport } from './kept-reports'

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
