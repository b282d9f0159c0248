import { AsyncLocalStorage } from 'node:async_hooks'
import { getRandomValues } from 'node:crypto'

/**
 * Trace of a request or a job through log lines, jobs, spans and calls of other servers: the id of its request, and W3C
 * Trace Context (https://www.w3.org/TR/trace-context/). Its ids are generated on first use, since most requests end
 * without using them.
 */
export class Trace {
  readonly #parent: Parent | null
  #traceId?: string
  #spanId?: string

  /** `traceparent` comes from a header or a job; an invalid one is ignored. */
  constructor(
    readonly requestId: string | null,
    traceparent: string | null,
  ) {
    this.#parent = traceparent === null ? null : readTraceparent(traceparent)
  }

  get traceId(): string {
    this.#traceId ??= this.#parent?.traceId ?? randomHex(16)
    return this.#traceId
  }
  get spanId(): string {
    this.#spanId ??= randomHex(8)
    return this.#spanId
  }
  get parentSpanId(): string | null {
    return this.#parent?.spanId ?? null
  }
  /** Whether spans of the trace are recorded, which is decided where the trace began. */
  get isSampled(): boolean {
    return spans !== null && (this.#parent?.isSampled ?? isChosen(this.traceId, spans.share))
  }
  /** The header for a call, or the field of a job, that continues the trace. */
  get traceparent(): string {
    const isSampled = this.#parent?.isSampled ?? this.isSampled
    return `00-${this.traceId}-${this.spanId}-${isSampled ? '01' : '00'}`
  }
}

type Parent = { traceId: string; spanId: string; isSampled: boolean }

/** A later version may have more fields after these four; ids of zeros are invalid. */
const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

function readTraceparent(text: string): Parent | null {
  // Version 00 has no further fields.
  if (text.length > 512 || (text.startsWith('00') && text.length !== 55)) return null
  const [, traceId, spanId, flags] = traceparentPattern.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function randomHex(bytes: number): string {
  return Buffer.from(getRandomValues(new Uint8Array(bytes))).toString('hex')
}

/**
 * Whether a trace is sampled. Every process decides the same for one trace, as with OpenTelemetry's TraceIdRatioBased.
 */
function isChosen(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32
}

const running = new AsyncLocalStorage<Trace | null>()

/** Runs `work`, and everything that it starts, as part of `trace`; outside of any trace if it is null. */
export function withTrace<T>(trace: Trace | null, work: () => T): T {
  return running.run(trace, work)
}

/** The trace that this code runs in; null outside of requests and jobs. */
export function currentTrace(): Trace | null {
  return running.getStore() ?? null
}

/** Headers with which a called server continues this trace. They are random numbers that identify nobody. */
export function traceHeaders(): [string, string][] {
  const trace = currentTrace()
  return trace === null ? [] : [['traceparent', trace.traceparent]]
}

/** A timed part of a trace. Times are those of `performance.now()`. */
export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: 'server' | 'client' | 'consumer'
  startedAt: number
  endedAt: number
  attributes: Readonly<Record<string, string | number>>
  isFailed: boolean
}

type SpanSink = { add(span: Span): void; share: number }
let spans: SpanSink | null = null

/** Sets the sink that receives spans from now on, and the share of traces to record; null for none. */
export function collectSpans(sink: SpanSink | null): void {
  spans = sink
}

type EndedPart = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'endedAt'>

/** Records the span of the whole trace in this process, if spans are collected. */
export function recordTrace(trace: Trace, whole: () => EndedPart): void {
  if (!trace.isSampled) return
  const { traceId, spanId, parentSpanId } = trace
  spans?.add({ ...whole(), traceId, spanId, parentSpanId, endedAt: performance.now() })
}

/** Records the span of a statement or a call that ends now, if spans are collected. */
export function recordPart(trace: Trace | null, part: () => EndedPart): void {
  if (spans === null || !trace?.isSampled) return
  const { traceId, spanId } = trace
  spans.add({
    ...part(),
    traceId,
    spanId: randomHex(8),
    parentSpanId: spanId,
    endedAt: performance.now(),
  })
}
