import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { Env } from '#src/env'

/** The client of a request, as far as it is known. */
export type Sender = {
  /** The peer's address, or the client's address as a trusted proxy reports it. */
  address: string
  /** Whether the request was sent on this machine and no proxy header says otherwise. */
  isLocal: boolean
  /** The peer, if it forwards requests without being trusted: all its clients then share this one address. */
  untrustedProxy: string | null
}

/** Headers that proxies add to a request they forward; browsers send none of them. */
const addedByProxies =
  /^(via|forwarded|x-(original-)?forwarded(-.+)?|x-real-ip|(.+-)?client-ip|(.+-)?connecting-ip)$/
/** The ones that hold a single address, if a proxy sends them. */
const oneAddress = /^(x-real-ip|(.+-)?client-ip|(.+-)?connecting-ip)$/

/**
 * Returns a function that finds the client of a request. The client's address is the last entry of X-Forwarded-For that
 * is not a trusted proxy; the client can make up earlier ones.
 */
export function senderReader(env: Pick<Env, 'trustProxy'>) {
  const isTrusted = proxyTest(env)
  return ({ headers }: Request, peer: string): Sender => {
    const direct = plainAddress(peer) ?? peer
    const added = [...headers].filter(([name]) => addedByProxies.test(name))
    if (!isTrusted(direct)) {
      const untrustedProxy = added.length > 0 ? direct : null
      return { address: direct, isLocal: isLoopback(direct) && !untrustedProxy, untrustedProxy }
    }
    const forwarded = listForwarded(headers)
    const sender = forwarded.findLast((each) => each === null || !isTrusted(each))
    const said = [
      ...forwarded,
      ...added.flatMap(([name, value]) => (oneAddress.test(name) ? [readEntry(value)] : [])),
    ]
    const isSaid = forwarded.length > 0 && !headers.has('forwarded') && said.every(isLoopback)
    return {
      address: sender ?? direct,
      isLocal: isLoopback(direct) && (isSaid || added.length === 0),
      untrustedProxy: null,
    }
  }
}

/** Returns a test of whether an address is in TRUST_PROXY. */
export function proxyTest({ trustProxy }: Pick<Env, 'trustProxy'>): (address: string) => boolean {
  if (trustProxy.length === 0) return () => false
  const trusted = new BlockList()
  for (const network of trustProxy) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * The key under which an address is counted: an IPv4 address, or the /64 of an IPv6 one, which is the least that a
 * connection is assigned (RFC 6177). Every spelling of an address has the same key.
 */
export function countedAddress(address: string): string {
  const plain = plainAddress(address)
  return plain !== null && isIPv6(plain)
    ? `${groupsOf(plain).slice(0, 4).join(':')}::/64`
    : (plain ?? address)
}

/**
 * The canonical spelling of an address: compressed, in lower case, without a zone, and as IPv4 if it is IPv4 mapped
 * into IPv6. Null if the text is not an address.
 */
export function plainAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '')
  if (isIPv4(address)) return address
  const url = isIPv6(address) ? URL.parse(`http://[${address}]`) : null
  if (!url) return null
  const plain = url.hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(plain)
  if (!mapped) return plain
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address in its canonical spelling. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

function isLoopback(address: string | null): boolean {
  return address !== null && (address === '::1' || (isIPv4(address) && address.startsWith('127.')))
}

function listForwarded(headers: Headers): (string | null)[] {
  const entries = (headers.get('x-forwarded-for') ?? '').split(',')
  return entries.filter((each) => each.trim()).map(readEntry)
}

/** The address of an X-Forwarded-For entry, without the port that some proxies add; null if it has none. */
function readEntry(entry: string): string | null {
  const plain = entry
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
  return plainAddress(plain) ?? plainAddress(plain.replace(/:\d+$/, ''))
}
