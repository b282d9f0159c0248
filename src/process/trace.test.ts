import { expect, test } from 'bun:test'
import { currentTrace, Trace, withTrace } from './trace'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test.each([
  [`00-${traceId}-${spanId}-01`],
  [`00-${traceId}-${spanId}-00`],
  [`cc-${traceId}-${spanId}-01`],
  [`cc-${traceId}-${spanId}-01-what-a-later-version-adds`],
])('traceparent %s is continued', (given) => {
  const trace = new Trace('a', given)
  expect([trace.traceId, trace.parentSpanId]).toEqual([traceId, spanId])
  expect(trace.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-${given.slice(53, 55)}$`))
  expect(trace.spanId).not.toBe(spanId)
})

// The cases of W3C's own test suite (https://github.com/w3c/trace-context/tree/main/test).
test.each([
  [''],
  ['00'],
  [`00-${traceId}-${spanId}`],
  [`00-${traceId}-${spanId}-01-`],
  [`00-${traceId}-${spanId}-01-more`],
  [`ff-${traceId}-${spanId}-01`],
  [`cc-${traceId}-${spanId}-01.what`],
  [`0-${traceId}-${spanId}-01`],
  [`00-${'0'.repeat(32)}-${spanId}-01`],
  [`00-${traceId}-${'0'.repeat(16)}-01`],
  [`00-${traceId.toUpperCase()}-${spanId}-01`],
  [`00-${traceId.slice(1)}-${spanId}-01`],
  [`00-${traceId}-${spanId}-1`],
  [`00-${traceId}-${spanId}-.1`],
  [`00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
])('traceparent %j is invalid and starts a new trace', (given) => {
  const trace = new Trace('a', given)
  expect(trace.parentSpanId).toBeNull()
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(trace.traceId).not.toBe(traceId)
})

test('withTrace applies to all asynchronous work within it and to nothing else', async () => {
  const [one, other] = [new Trace('one', null), new Trace('other', null)]
  const seen = await Promise.all(
    [one, other].map((trace) =>
      withTrace(trace, async () => {
        await Bun.sleep(1)
        return currentTrace()
      }),
    ),
  )
  expect(seen).toEqual([one, other])
  expect(currentTrace()).toBeNull()
  expect(withTrace(one, () => withTrace(null, currentTrace))).toBeNull()
})
