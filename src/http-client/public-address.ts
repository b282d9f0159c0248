import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether an IP address is public unicast. Not public are this machine, private and shared networks, link-local (cloud
 * metadata), multicast, documentation, and the ranges that embed an IPv4 address in an IPv6 one. The source is the IANA
 * special-purpose registries.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4')
  return isIPv6(address) && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

const special4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])

/** IANA has allocated only this part of IPv6 as global unicast. */
const global6 = blockList('ipv6', [['2000::', 3]])
const special6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function blockList(family: 'ipv4' | 'ipv6', networks: [string, number][]): BlockList {
  const list = new BlockList()
  for (const [network, bits] of networks) list.addSubnet(network, bits, family)
  return list
}
