import { expect, test } from 'bun:test'
import { findLastRequestMs, noteRequest } from './request-activity'

test('noteRequest records requests but not probes', () => {
  noteRequest('http://localhost:3000/stories')
  const noted = findLastRequestMs()
  expect(noted).toBeGreaterThan(0)
  for (const probe of ['healthz', 'readyz', 'metrics']) noteRequest(`http://localhost:3000/${probe}`)
  expect(findLastRequestMs()).toBe(noted)
  noteRequest('http://localhost:3000/?q=healthz')
  expect(findLastRequestMs()).toBeGreaterThan(noted)
})
