/** Structured logs: one JSON object a line. Never a secret, a title or a text of an item. */
export type Log = ReturnType<typeof createLog>
export type LogLevel = (typeof levels)[number]
type Fields = Record<string, string | number | boolean | null | undefined>

const levels = ['debug', 'info', 'warn', 'error'] as const

/** A log that writes at `level` and above; `write` takes whole lines. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
) {
  const from = levels.indexOf(level)
  const log =
    (at: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (levels.indexOf(at) < from) return
      write(`${JSON.stringify({ time: new Date().toISOString(), level: at, message, ...fields })}\n`)
    }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** An error as log fields: its stack and the chain of its causes. */
export function errorFields(error: unknown): Fields {
  const stacks: string[] = []
  for (
    let each: unknown = error;
    each !== undefined && stacks.length < 5;
    each = each instanceof Error ? each.cause : undefined
  ) {
    stacks.push(each instanceof Error ? (each.stack ?? each.message) : String(each))
  }
  return { error: stacks.join('\ncaused by: ').slice(0, 8_000) }
}
