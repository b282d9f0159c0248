import { expect, test } from 'bun:test'
import type { Job } from '#src/job/schema'
import { mergeJobs } from './merge-jobs'

const job = (id: string, state: Job['state'] = 'queued'): Job => ({
  id,
  kind: 'narrate',
  state,
  isAbandoned: false,
  isPaused: false,
  storyId: null,
  title: null,
  voice: null,
  narrator: null,
  progress: 0,
  priority: 100,
  attempts: 0,
  attemptsMax: 3,
  error: null,
  result: null,
  requestId: null,
  runAfter: '2026-11-25T20:00:00.000Z',
  createdAt: '2026-11-25T20:00:00.000Z',
  startedAt: null,
  finishedAt: null,
})
const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id)

test('a new job is added first, and an older one that belongs to another page is not added', () => {
  const page = [job('5'), job('4')]
  const changed = [job('6'), job('4', 'running'), job('3')]
  const merged = mergeJobs(page, changed, { since: '4' })
  expect(idsOf(merged)).toEqual(['6', '5', '4'])
  expect(merged[2]?.state).toBe('running')
  expect(idsOf(mergeJobs(page, changed, { since: '' }))).toEqual(['6', '5', '4', '3'])
  expect(idsOf(mergeJobs(page, changed, { since: null }))).toEqual(['5', '4'])
})

test('a new job that the filter excludes is not added', () => {
  expect(mergeJobs([], [job('6')], { since: '', state: 'failed' })).toEqual([])
  expect(mergeJobs([], [job('6')], { since: '', kind: 'import' })).toEqual([])
  expect(idsOf(mergeJobs([], [job('6')], { since: '', state: 'queued', kind: 'narrate' }))).toEqual(['6'])
})
