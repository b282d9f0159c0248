import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { Env } from '#src/env'

/** Where a request comes from. */
export type Sender = {
  /** The peer's address, or what a trusted proxy says it is. */
  address: string
  /** It was sent on this machine, and nothing on the way says otherwise. */
  isLocal: boolean
  /** The peer where it passes requests on without being trusted: all its senders look like this one address. */
  untrustedProxy: string | null
}

/** What proxies add to a request that they pass on; browsers send none of these. */
const addedByProxies =
  /^(via|forwarded|x-(original-)?forwarded(-.+)?|x-real-ip|(.+-)?client-ip|(.+-)?connecting-ip)$/
/** Those that hold one address, when a proxy sends them. */
const oneAddress = /^(x-real-ip|(.+-)?client-ip|(.+-)?connecting-ip)$/

/**
 * Finds the sender of a request. Of X-Forwarded-For the last entry that is not itself a trusted proxy counts; earlier
 * ones can be made up by the sender.
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

/** Whether an address is one of TRUST_PROXY. */
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
 * The key under which an address is counted: an IPv4 address, or the /64 of an IPv6 one, the least that one connection
 * gets (RFC 6177). Every spelling of an address has the same key.
 */
export function countedAddress(address: string): string {
  const plain = plainAddress(address)
  return plain !== null && isIPv6(plain)
    ? `${groupsOf(plain).slice(0, 4).join(':')}::/64`
    : (plain ?? address)
}

/**
 * An address as it is written everywhere: compressed, in lower case, without a zone; IPv4 where it is mapped into IPv6.
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

/** The eight groups of an IPv6 address that is written plainly. */
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

/** The address of an entry, without the port that some proxies add; null for what is none. */
function readEntry(entry: string): string | null {
  const plain = entry
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
  return plainAddress(plain) ?? plainAddress(plain.replace(/:\d+$/, ''))
}
