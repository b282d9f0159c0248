import { errorFields, type Log } from './log'
import { countSpans } from './metrics'
import { collectSpans, type Span, withTrace } from './trace'

export type SpanExport = {
  /** The address as in OpenTelemetry's OTEL_EXPORTER_OTLP_ENDPOINT; `/v1/traces` is appended. */
  endpoint: string
  /** Headers as `name=value,name=value`, with percent-encoded values. */
  headers?: string | undefined
  serviceName: string
  /** The share of the traces begun here that are sampled, 0 to 1. */
  share: number
}

const flushEveryMs = 5_000
const batchMax = 512
/** Maximum waiting spans, about 2 MB. While the collector is unavailable the oldest are dropped. */
const waitingMax = 4_096
const timeoutMs = 10_000

/**
 * Sends spans to a collector as OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp) until it is
 * stopped. Spans that cannot be sent wait and are retried; once too many are waiting, the oldest are dropped and
 * counted.
 */
export function exportSpans(settings: SpanExport, log: Log): { stop(): Promise<void> } {
  const waiting: Span[] = []
  let isAway = false
  let sending: Promise<void> = Promise.resolve()
  const flush = () => {
    sending = sending.then(sendAll)
    return sending
  }

  collectSpans({
    share: settings.share,
    add(span) {
      waiting.push(span)
      if (waiting.length > waitingMax) countSpans({ outcome: 'dropped' }, waiting.splice(0, batchMax).length)
      else if (waiting.length === batchMax) void withTrace(null, flush)
    },
  })
  const timer = setInterval(flush, flushEveryMs)

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      try {
        const isTaken = await send(settings, batch)
        countSpans({ outcome: isTaken ? 'sent' : 'refused' }, batch.length)
        isAway = false
      } catch (error) {
        waiting.unshift(...batch)
        if (!isAway) log.warn('spans cannot be sent; they wait', errorFields(error))
        isAway = true
        return
      }
    }
  }

  return {
    async stop() {
      clearInterval(timer)
      collectSpans(null)
      await flush()
    },
  }
}

/** Sends a batch. Returns false if the collector will never accept it; throws if it may do so later. */
async function send({ endpoint, headers = '', serviceName }: SpanExport, spans: Span[]): Promise<boolean> {
  const response = await fetch(`${endpoint.replace(/\/$/, '')}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...readHeaders(headers) },
    body: JSON.stringify(encodeSpans(serviceName, spans)),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if ([429, 502, 503, 504].includes(response.status))
    throw Object.assign(new Error('The collector is busy.'), { status: response.status })
  return response.ok
}

function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='))
  return Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) =>
      name.trim() === '' ? [] : [[name.trim(), decodeURIComponent(value.join('=').trim())]],
    ),
  )
}

/** Numbers of opentelemetry.proto.trace.v1.Span.SpanKind. */
const kinds = { server: 2, client: 3, consumer: 5 } as const
const statusError = 2

function encodeSpans(serviceName: string, spans: Span[]) {
  const originMs = Date.now() - performance.now()
  const nanosOf = (ms: number) => String(BigInt(Math.round((originMs + ms) * 1_000)) * 1_000n)
  const encoded = spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== null && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanosOf(span.startedAt),
    endTimeUnixNano: nanosOf(span.endedAt),
    attributes: encodeAttributes(span.attributes),
    status: span.isFailed ? { code: statusError } : {},
  }))
  const resource = {
    attributes: encodeAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
  }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'nocturne' }, spans: encoded }] }] }
}

function encodeAttributes(attributes: Span['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }))
}
