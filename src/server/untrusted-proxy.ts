import { proxyTest } from '#src/http/address'
import { isPublicAddress } from '#src/http-client/public-address'
import { errorFields } from '#src/process/log'
import { listCounted, tryConsumeRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'

/** More peers than a site has proxies. With this limit, forged headers cannot fill the log. */
const peersMax = 5
const keyPrefix = 'untrusted-proxy:'

const daySeconds = 24 * 3_600

/**
 * Logs once that an untrusted peer forwards requests, and counts it in the database for `nocturne doctor`. A peer
 * outside of private networks is logged without its address and not counted: any stranger can send such a header, and
 * an operator should not be advised to trust one.
 */
export function untrustedProxyNotes({ db, log }: Pick<Services, 'db' | 'log'>): (peer: string) => void {
  const days = new Map<string, number>()
  return (peer) => {
    const proxy = isPublicAddress(peer) ? '' : peer
    const day = Math.floor(Date.now() / 1_000 / daySeconds)
    const notedOn = days.get(proxy)
    if (notedOn === day || (notedOn === undefined && days.size >= peersMax)) return
    days.set(proxy, day)
    if (notedOn === undefined)
      log.warn(
        'requests come through a proxy that TRUST_PROXY does not name: all its visitors count as one address',
        { fix: fixOf(proxy), ...(proxy && { proxy }) },
      )
    if (!proxy) return
    const limit = { key: keyPrefix + proxy, max: 1_000, windowSeconds: 15 * daySeconds, message: '' }
    void tryConsumeRateLimit(db, limit).catch((error) =>
      log.warn('a proxy was not recorded', errorFields(error)),
    )
  }
}

/** Lists the proxies that were recorded in the last weeks and are still untrusted. */
export async function listUntrustedProxies(
  db: Services['db'],
  env: Pick<Services['env'], 'trustProxy'>,
): Promise<{ proxy: string; fix: string }[]> {
  const isTrusted = proxyTest(env)
  const proxies = (await listCounted(db, keyPrefix)).filter((each) => !isTrusted(each))
  return proxies.map((proxy) => ({ proxy, fix: fixOf(proxy) }))
}

function fixOf(proxy: string): string {
  return proxy
    ? `If ${proxy} is your proxy, add it to TRUST_PROXY and start again: TRUST_PROXY=${proxy}`
    : 'If a proxy of yours sends them, add its network to TRUST_PROXY and start again.'
}
