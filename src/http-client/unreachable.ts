/**
 * Error codes of the system, of `fetch`, and of the clients of PostgreSQL and SMTP for an unreachable server, with
 * their meaning.
 */
const meanings: readonly [RegExp, string][] = [
  [/ENOTFOUND/, 'and there is no server of that name'],
  [/EAI_AGAIN/, 'and no name server answers for it'],
  [/ECONNREFUSED|ENOENT/, 'and nothing listens there'],
  [/EPROTO\b|WRONG_VERSION_NUMBER|TLS_MISSING/, 'which does not speak TLS'],
  [/CERT_|CERTIFICATE|UNABLE_TO_/, 'whose certificate is not trusted'],
  [
    /TIMEDOUT|CONNECT_TIMEOUT|ECONNECTION|TimeoutError|UNREACH|ECONNRESET|CONNECTION_CLOSED|EPIPE/,
    'which does not answer',
  ],
]

/**
 * A sentence for the operator about an unreachable server at `host`, the value of a setting. Null for any other error,
 * such as an answer of the server.
 */
export function unreachableMessage(error: unknown, setting: string, host: string): string | null {
  const meaning = meaningOf(error)
  return meaning === null ? null : `${setting} names ${host}, ${meaning}.`
}

/** Whether an error says that its server could not be reached. False for an answer of the server. */
export const isUnreachable = (error: unknown): boolean => meaningOf(error) !== null

function meaningOf(error: unknown): string | null {
  // Clients have error codes of their own, and repeat the system's only in the message.
  const { code, name, message, response } = Object(error)
  // A mail server that refuses us has answered, and its own words say more.
  if (response !== undefined) return null
  const said = `${code} ${name} ${message}`
  return meanings.find(([pattern]) => pattern.test(said))?.[1] ?? null
}

/** The message of an error, without the lines of a stack or of details. */
export function firstLineOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
