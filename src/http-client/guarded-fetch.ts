import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { dns } from 'bun'
import { measuredCall } from '#src/process/metrics'
import { traceHeaders } from '#src/process/trace'
import { oddCharacterProblem } from '#src/text/odd-character'
import { isPublicAddress } from './public-address'

/** The reason why an outgoing call failed. The message is for operators and contains no secret. */
export class HttpClientError extends Error {
  readonly reason: 'address' | 'redirect' | 'timeout' | 'too_large' | 'network'
  constructor(reason: HttpClientError['reason'], message: string, cause?: unknown) {
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
  /** The label of the calls in the metrics, if members choose the addresses; by default the host. */
  measuredAs?: string
}

/** Maximum response size. A model's text is a few kilobytes, a chunk of speech a few megabytes. */
const answerBytesMax = 32 * 1024 * 1024
const connectMsDefault = 5_000

/**
 * Returns a `fetch` with an SSRF guard, for addresses that people configure. It allows only https, and no credentials
 * in the address; every resolved address must be public unicast; and the connection goes to the checked address,
 * whatever DNS answers a moment later. Redirects are errors, time and size are limited, and proxies of the environment
 * are ignored.
 */
export function guardedFetch(policy: OutgoingPolicy) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    for (const [name, value] of traceHeaders()) request.headers.set(name, value)
    const url = new URL(request.url)
    const address = await checkedAddress(url, policy)
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : null
    const signals = [AbortSignal.timeout(policy.timeoutMs), ...(init?.signal ? [init.signal] : [])]
    return measuredCall(policy.measuredAs ?? url.host, () =>
      send({ url, address }, { request, body }, policy, AbortSignal.any(signals)),
    )
  }
}

/** Describes the problem of an address in a sentence, without a DNS lookup; null if there is none. */
export function addressProblem(text: string, trustedOrigins: readonly string[]): string | null {
  const odd = oddCharacterProblem('address', text, 'address')
  if (odd) return odd
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'This is not an address. Use one such as https://api.example.com/v1.'
  if (url.username || url.password) return 'Leave user and password out of the address.'
  if (url.search || url.hash) return 'Leave out the part of the address from ? or # on.'
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

async function checkedAddress(url: URL, policy: OutgoingPolicy): Promise<string> {
  const { trustedOrigins } = policy
  const problem = addressProblem(`${url.origin}${url.pathname}`, trustedOrigins)
  if (problem) throw new HttpClientError('address', problem)
  if (url.username || url.password)
    throw new HttpClientError('address', 'Leave user and password out of the address.')
  const host = bareHost(url)
  const addresses = isIP(host) ? [host] : await resolveAll(host, policy)
  if (!trustedOrigins.includes(url.origin) && !addresses.every(isPublicAddress))
    throw new HttpClientError('address', privateMessage(url))
  const [first] = addresses
  if (!first) throw new HttpClientError('network', `There is no server named ${host}.`)
  return first
}

async function resolveAll(
  host: string,
  { resolve = resolveByDns, connectMs = connectMsDefault }: OutgoingPolicy,
): Promise<string[]> {
  const late = Promise.withResolvers<never>()
  const waiting = setTimeout(
    () => late.reject(new HttpClientError('timeout', `No name server answers for ${host}.`)),
    connectMs,
  )
  try {
    return await Promise.race([resolve(host), late.promise])
  } catch (error) {
    if (error instanceof HttpClientError) throw error
    throw new HttpClientError('network', `There is no server named ${host}.`, error)
  } finally {
    clearTimeout(waiting)
  }
}

/**
 * Resolves a host with c-ares. While DNS is silent, the system's resolver blocks a thread of the pool that reads files
 * and computes hashes. c-ares uses the name servers from the program's start, and no mDNS. For names that it does not
 * find the system is asked, one name at a time.
 */
async function resolveByDns(host: string): Promise<string[]> {
  const late = Promise.withResolvers<never>()
  const waiting = setTimeout(() => late.reject(new Error('No name server answers.')), caresMs)
  try {
    return addressesOf(await Promise.race([dns.lookup(host, { backend: 'c-ares' }), late.promise]))
  } catch (error) {
    if (isAskingSystem) throw error
    isAskingSystem = true
    const asked = dns.lookup(host, { backend: 'system' }).finally(() => {
      isAskingSystem = false
    })
    return addressesOf(await asked)
  } finally {
    clearTimeout(waiting)
  }
}

const caresMs = 2_000
let isAskingSystem = false
const addressesOf = (found: readonly { address: string }[]) => found.map(({ address }) => address)

/** Sends the request by node:http, which accepts a custom DNS lookup. The certificate is checked against the name. */
function send(
  { url, address }: { url: URL; address: string },
  { request, body }: { request: Request; body: Buffer | null },
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const isSecure = url.protocol === 'https:'
  const family = isIP(address)
  const clientRequest = (isSecure ? httpsRequest : httpRequest)(url, {
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), ...(body && { 'content-length': body.length }) },
    agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: (_host, options, found) =>
      options.all ? found(null, [{ address, family }]) : found(null, address, family),
  })
  const end = (error: unknown) => {
    reject(error)
    clientRequest.destroy()
  }
  const fail = (error: unknown) => end(asOutgoingError(error, url))
  const connecting = setTimeout(
    () => fail(new HttpClientError('timeout', `${url.host} does not answer.`)),
    policy.connectMs ?? connectMsDefault,
  )
  clientRequest.on('socket', (socket) => {
    socket.on(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
  })
  const onAbort = () => {
    const isLate = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    const seconds = policy.timeoutMs / 1_000
    end(
      isLate
        ? new HttpClientError('timeout', `${url.host} took longer than ${seconds} seconds.`)
        : signal.reason,
    )
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  clientRequest.on('error', fail)
  clientRequest.on('response', (incoming) => {
    clearTimeout(connecting)
    readAnswer(incoming, policy.bytesMax ?? answerBytesMax).then(resolve, fail)
  })
  clientRequest.end(body)
  return promise.finally(() => {
    clearTimeout(connecting)
    signal.removeEventListener('abort', onAbort)
  })
}

async function readAnswer(incoming: IncomingMessage, bytesMax: number): Promise<Response> {
  const status = incoming.statusCode ?? 502
  if (status >= 300 && status < 400)
    throw new HttpClientError('redirect', `The server redirects (${status}). Enter its final address.`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > bytesMax)
      throw new HttpClientError('too_large', `The server sent more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct))
    for (const each of value ?? []) headers.append(name, each)
  headers.delete('content-encoding')
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status: Math.max(200, status), headers })
}

function asOutgoingError(error: unknown, { host }: URL): unknown {
  if (error instanceof HttpClientError || !(error instanceof Error)) return error
  return new HttpClientError('network', `${host} cannot be reached.`, error)
}
