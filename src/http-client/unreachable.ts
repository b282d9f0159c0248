/** What the system, the clients of PostgreSQL and SMTP, and `fetch` say where nobody answers, and what it means. */
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
 * A sentence for the operator about a server that cannot be reached at `host`, the value of a setting; null where the
 * error is another one, such as an answer of the server.
 */
export function unreachableMessage(error: unknown, setting: string, host: string): string | null {
  // Clients give codes of their own, and leave the system's in the message.
  const { code, name, message, response } = Object(error)
  // Of a mail server that is there and refuses, such as a stranger at its greeting: its words say more.
  if (response !== undefined) return null
  const said = `${code} ${name} ${message}`
  const meaning = meanings.find(([pattern]) => pattern.test(said))?.[1]
  return meaning === undefined ? null : `${setting} names ${host}, ${meaning}.`
}

/** What an error says, without the lines of a stack or of details. */
export function firstLineOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
