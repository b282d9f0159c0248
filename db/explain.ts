import { AppError } from '#src/app-error'
import { codeOf } from './failures'

/**
 * Returns a message for the operator about a database that cannot be used as it is. `variable` names the environment
 * variable with its address.
 */
type Message = (variable: string, message: string) => string
/** Like `Message`, but null if the code has another meaning in this case. */
type MaybeMessage = (variable: string, message: string) => string | null

/**
 * Runs `work`, which opens a database. If the server refuses, throws `not_configured` with a message that helps the
 * operator instead of the driver's error. Other errors pass unchanged, including one about an address that does not
 * answer.
 */
export async function explained<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const text = explain(error, variable)
    if (text === null) throw error
    throw new AppError('not_configured', text, { cause: error })
  }
}

/** Returns the message for an operator whose database refuses; null for other errors. */
export function explain(error: unknown, variable: string): string | null {
  return messages[codeOf(error)]?.(variable, messageOf(error)) ?? null
}

export const poolerMessage: Message = (variable) =>
  `${variable} is the address of a pooler, such as PgBouncer. Set DATABASE_DIRECT_URL to PostgreSQL's own address, for migrations and notifications.`

const noPassword: Message = (variable) =>
  `The password in ${variable} is not the one of its user. Correct it there, or in PostgreSQL: alter role … password '…'.`
const noDatabase: Message = (variable) =>
  `There is no database of the name in ${variable}. Correct it, or make it: create database … owner ….`
const noTrust: Message = (variable, message) =>
  `The certificate of the server of ${variable} is not trusted (${message}). Name the file of its authority in NODE_EXTRA_CA_CERTS, or write sslmode=require, which checks nothing.`

/** Messages by PostgreSQL's error code. PgBouncer reports all of its own errors as 08P01. */
const messages: Readonly<Record<string, MaybeMessage>> = {
  '28P01': noPassword,
  '28000': (variable, message) => {
    if (/no encryption|SSL off/.test(message))
      return `The server of ${variable} takes encrypted connections only. Add sslmode=require to the address, or allow others in its pg_hba.conf.`
    if (/does not exist/.test(message))
      return `There is no user of the name in ${variable}. Correct it, or make it: create role … login password '…'.`
    return `The server of ${variable} lets this user in from elsewhere only. Allow it in its pg_hba.conf.`
  },
  '3D000': noDatabase,
  '42501': (variable) =>
    `The user of ${variable} lacks a right in its database. Make it the owner: alter database … owner to ….`,
  '25006': (variable) =>
    `The server of ${variable} can only be read: it is a standby. Name the primary, or all of them with commas between.`,
  '53300': (variable) =>
    `The server of ${variable} has no connection left. Lower DATABASE_POOL, or raise its max_connections.`,
  '42704': (variable, message) =>
    /configuration parameter/.test(message)
      ? `The server of ${variable} does not know a parameter of the address (${message}). Take it out.`
      : null,
  TLS_MISSING: (variable) =>
    `The server of ${variable} has no TLS. Take sslmode out of the address, or turn ssl on in its postgresql.conf.`,
  '08P01': (variable, message) => {
    if (/startup parameter/.test(message)) return poolerMessage(variable, message)
    if (/authentication failed|no such user/.test(message)) return noPassword(variable, message)
    if (/no such database|does not exist/.test(message)) return noDatabase(variable, message)
    return `The pooler of ${variable} does not reach its PostgreSQL. Its log says why.`
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: noTrust,
  SELF_SIGNED_CERT_IN_CHAIN: noTrust,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: noTrust,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: noTrust,
  ERR_TLS_CERT_ALTNAME_INVALID: noTrust,
  CERT_HAS_EXPIRED: noTrust,
}

/** Returns the server's own message, which contains no values of a query. */
function messageOf(error: unknown): string {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return root instanceof Error ? root.message : ''
}
