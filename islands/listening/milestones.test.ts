import { expect, test } from 'bun:test'
import { listNewMilestones } from './milestones'

test('each milestone is reported once', () => {
  expect(listNewMilestones(0.24, [])).toEqual([])
  expect(listNewMilestones(0.25, [])).toEqual([25])
  expect(listNewMilestones(0.3, [25])).toEqual([])
  expect(listNewMilestones(0.5, [25])).toEqual([50])
})

test('a jump reports every milestone that it passes', () => {
  expect(listNewMilestones(0.8, [25])).toEqual([50, 75])
})
