import { afterAll, expect, test } from 'bun:test'
import { rejectionOf } from '#src/testing/rejection'
import { AnswerTooLarge, limited } from './limited'

const left = Promise.withResolvers<string>()
/** Sends bytes for as long as the client reads. */
const endless = Bun.serve({
  port: 0,
  fetch: () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(0x20)),
        cancel: () => left.resolve('nobody reads'),
      }),
    ),
})
afterAll(() => endless.stop(true))

test('an endless response is rejected at the limit and its stream cancelled', async () => {
  const answer = limited(await fetch(endless.url), 1_000_000)
  expect(await rejectionOf(answer.json())).toBeInstanceOf(AnswerTooLarge)
  expect(await left.promise).toBe('nobody reads')
})

test('a response within the limit is passed through', async () => {
  const answer = limited(Response.json({ words: 'few' }, { status: 201, headers: { etag: 'a' } }), 100)
  expect([answer.status, answer.headers.get('etag'), await answer.json()]).toEqual([
    201,
    'a',
    { words: 'few' },
  ])
  expect(await limited(new Response(null, { status: 204 })).text()).toBe('')
})
