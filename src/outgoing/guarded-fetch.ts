import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address'

/** Why a call that we make did not come about. The message is for operators and holds no secret. */
export class OutgoingError extends Error {
  readonly reason: 'address' | 'redirect' | 'timeout' | 'too_large' | 'network'
  constructor(reason: OutgoingError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

export type OutgoingPolicy = {
  /** Origins that may be private and need no https: those that the operator's environment names. */
  trustedOrigins: readonly string[]
  timeoutMs: number
  connectMs?: number
  bytesMax?: number
  resolve?: (host: string) => Promise<string[]>
}

/** A text of a model is some kilobytes, a piece of speech some megabytes. */
const answerBytesMax = 32 * 1024 * 1024
const connectMsDefault = 5_000

/**
 * `fetch` for addresses that somebody typed in: https alone, no user and password, every address that the name
 * stands for is public unicast, and the connection goes to the one that was checked, whatever the name says a
 * moment later. Redirects are errors; time and size have limits. No proxy of the environment is asked.
 */
export function guardedFetch(policy: OutgoingPolicy) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const address = await checkedAddress(url, policy)
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : null
    const signals = [AbortSignal.timeout(policy.timeoutMs), ...(init?.signal ? [init.signal] : [])]
    return send(url, address, request, body, policy, AbortSignal.any(signals))
  }
}

/** What is wrong with an address before anybody is asked for it, in a sentence; null where nothing is. */
export function addressProblem(text: string, trustedOrigins: readonly string[]): string | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'This is no address. It takes one such as https://api.example.com/v1.'
  if (url.username || url.password) return 'Leave user and password out of the address.'
  if (url.search || url.hash) return 'Leave the part from ? or # on out of the address.'
  if (trustedOrigins.includes(url.origin)) return null
  if (url.protocol !== 'https:')
    return `The address has to begin with https, unless ALLOW_PRIVATE_MODEL_URLS names ${url.origin}.`
  const host = bareHost(url)
  if (isIP(host) ? !isPublicAddress(host) : isLocalName(host)) return privateMessage(url)
  return null
}

function privateMessage({ origin, hostname }: URL): string {
  return `${hostname} is on a private network. An operator can name ${origin} in ALLOW_PRIVATE_MODEL_URLS.`
}

function isLocalName(host: string): boolean {
  return /(^|\.)(localhost|local|internal|home\.arpa|lan|intranet)\.?$/i.test(host) || !host.includes('.')
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

async function checkedAddress(url: URL, { trustedOrigins, resolve }: OutgoingPolicy): Promise<string> {
  const problem = addressProblem(`${url.origin}${url.pathname}`, trustedOrigins)
  if (problem) throw new OutgoingError('address', problem)
  if (url.username || url.password)
    throw new OutgoingError('address', 'Leave user and password out of the address.')
  const host = bareHost(url)
  const addresses = isIP(host) ? [host] : await resolveAll(host, resolve)
  if (!trustedOrigins.includes(url.origin) && !addresses.every(isPublicAddress))
    throw new OutgoingError('address', privateMessage(url))
  const [first] = addresses
  if (!first) throw new OutgoingError('network', `There is no server of the name ${host}.`)
  return first
}

async function resolveAll(host: string, resolve = resolveByDns): Promise<string[]> {
  try {
    return await resolve(host)
  } catch (error) {
    throw new OutgoingError('network', `There is no server of the name ${host}.`, error)
  }
}

async function resolveByDns(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Over node:http, since it lets us say which address a name stands for; the certificate is for the name. */
function send(
  url: URL,
  address: string,
  request: Request,
  body: Buffer | null,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const isSecure = url.protocol === 'https:'
  const family = isIP(address)
  const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), ...(body && { 'content-length': body.length }) },
    agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: (_host, options, found) =>
      options.all ? found(null, [{ address, family }]) : found(null, address, family),
  })
  const end = (error: unknown) => {
    reject(error)
    outgoing.destroy()
  }
  const fail = (error: unknown) => end(asOutgoing(error, url))
  const connecting = setTimeout(
    () => fail(new OutgoingError('timeout', `${url.host} does not answer.`)),
    policy.connectMs ?? connectMsDefault,
  )
  outgoing.on('socket', (socket) => {
    socket.on(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
  })
  const onAbort = () => {
    const isLate = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    const seconds = policy.timeoutMs / 1_000
    end(
      isLate
        ? new OutgoingError('timeout', `${url.host} took longer than ${seconds} seconds.`)
        : signal.reason,
    )
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  outgoing.on('error', fail)
  outgoing.on('response', (incoming) => {
    clearTimeout(connecting)
    readAnswer(incoming, policy.bytesMax ?? answerBytesMax).then(resolve, fail)
  })
  outgoing.end(body)
  return promise.finally(() => {
    clearTimeout(connecting)
    signal.removeEventListener('abort', onAbort)
  })
}

async function readAnswer(incoming: IncomingMessage, bytesMax: number): Promise<Response> {
  const status = incoming.statusCode ?? 502
  if (status >= 300 && status < 400)
    throw new OutgoingError('redirect', `The server sends us elsewhere (${status}). Give its final address.`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new OutgoingError('too_large', `The server sent more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct))
    for (const each of value ?? []) headers.append(name, each)
  headers.delete('content-encoding')
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status: Math.max(200, status), headers })
}

function asOutgoing(error: unknown, { host }: URL): unknown {
  if (error instanceof OutgoingError || !(error instanceof Error)) return error
  return new OutgoingError('network', `${host} cannot be reached.`, error)
}
