import { expect, test } from 'bun:test'
import { readBytes } from './read-body'

test('an error of our own while a body is read is not taken for a sender who hangs up', async () => {
  const short = new RangeError('Out of memory')
  const body = new ReadableStream({ pull: (controller) => controller.error(short) })
  const request = new Request('http://localhost/', { method: 'POST', body })
  expect(await readBytes(request, 1_000).catch((error) => error)).toBe(short)
})
