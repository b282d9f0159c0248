import { AsyncLocalStorage } from 'node:async_hooks'
import { getRandomValues } from 'node:crypto'

/**
 * What a request or a job is followed by, through log lines, jobs, spans and calls of others: the id of its request,
 * and W3C Trace Context (https://www.w3.org/TR/trace-context/). Ids are made when somebody asks for them: most
 * requests end without that.
 */
export class Trace {
  readonly #parent: Parent | null
  #traceId?: string
  #spanId?: string

  /** `traceparent` is a header's or a job's; one that is wrong counts as none. */
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
  /** Whether spans of it are recorded: whoever began the trace decides. */
  get isSampled(): boolean {
    return spans !== null && (this.#parent?.isSampled ?? isChosen(this.traceId, spans.share))
  }
  /** For a call or a job of it. */
  get traceparent(): string {
    const isSampled = this.#parent?.isSampled ?? this.isSampled
    return `00-${this.traceId}-${this.spanId}-${isSampled ? '01' : '00'}`
  }
}

type Parent = { traceId: string; spanId: string; isSampled: boolean }

/** A later version may have more fields behind these four; ids of zeros are none. */
const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

function readTraceparent(text: string): Parent | null {
  // Version 00 ends here.
  if (text.length > 512 || (text.startsWith('00') && text.length !== 55)) return null
  const [, traceId, spanId, flags] = traceparentPattern.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function randomHex(bytes: number): string {
  return Buffer.from(getRandomValues(new Uint8Array(bytes))).toString('hex')
}

/** The same answer of every process for a trace, as OpenTelemetry's TraceIdRatioBased decides. */
function isChosen(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32
}

const running = new AsyncLocalStorage<Trace | null>()

/** Runs `work`, and all that it starts, as part of `trace`; of none with null. */
export function withTrace<T>(trace: Trace | null, work: () => T): T {
  return running.run(trace, work)
}

/** What this code runs for; null outside of requests and jobs. */
export function currentTrace(): Trace | null {
  return running.getStore() ?? null
}

/** Headers by which a server that is called goes on with this trace: random numbers, that name nobody. */
export function traceHeaders(): [string, string][] {
  const trace = currentTrace()
  return trace === null ? [] : [['traceparent', trace.traceparent]]
}

/** A part of a trace that took its time. Times are those of `performance.now()`. */
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

/** Whoever takes spans from now on, and of which share of the traces; null: nobody. */
export function collectSpans(sink: SpanSink | null): void {
  spans = sink
}

type EndedPart = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'endedAt'>

/** Records the whole of a trace in this process, where somebody collects spans. */
export function recordTrace(trace: Trace, whole: () => EndedPart): void {
  if (!trace.isSampled) return
  const { traceId, spanId, parentSpanId } = trace
  spans?.add({ ...whole(), traceId, spanId, parentSpanId, endedAt: performance.now() })
}

/** Records a part of a trace that ends now, a statement or a call, where somebody collects spans. */
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
