import { type Log, withoutValues } from '#src/process/log'
import { currentTrace, recordPart, withTrace } from '#src/process/trace'

/** A query of the patched driver. `string` and `sentAt` (by `performance.now()`) are set once a connection has it. */
export type SentQuery = {
  string?: string
  sentAt?: number
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Returns an observer of statements for `openDatabase`. A statement that takes longer than `slowMs` is logged (0 logs
 * none), and each is a span in the trace of its caller. Only the text of a statement is recorded, with `$1`, `$2` for
 * its values.
 */
export function watchStatements(log: Log, slowMs: number): (query: SentQuery) => void {
  return (query) => {
    const trace = currentTrace()
    const { resolve, reject } = query
    query.resolve = (result) => {
      end('done')
      resolve(result)
    }
    query.reject = (error) => {
      end('failed')
      reject(error)
    }

    function end(outcome: 'done' | 'failed'): void {
      const { sentAt: startedAt, string: statement = '' } = query
      if (startedAt === undefined) return
      const durationMs = performance.now() - startedAt
      if (slowMs > 0 && durationMs > slowMs)
        withTrace(trace, () =>
          log.warn('a slow statement', { statement: withoutValues(statement), durationMs, outcome }),
        )
      recordPart(trace, () => ({
        name: /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? 'statement',
        kind: 'client',
        startedAt,
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': withoutValues(statement) },
        isFailed: outcome === 'failed',
      }))
    }
  }
}
