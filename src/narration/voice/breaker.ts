import type { ProviderLimits } from './limits'
import { ProviderFailure } from './provider'

type Record = { failures: number; openUntil: number; reason: string }

/** Circuit breakers by address, in this process: a provider that is down is down for all narrations here. */
const records = new Map<string, Record>()

/** Throws `away` while the circuit of this address is open. */
export function passBreaker(address: string, name: string): void {
  const record = records.get(address)
  const leftMs = (record?.openUntil ?? 0) - performance.now()
  if (leftMs <= 0) return
  const seconds = Math.ceil(leftMs / 1_000)
  throw new ProviderFailure(
    'away',
    `${name} failed several times in a row. It is asked again in ${seconds} s. The last time: ${record?.reason}`,
    { retryAfterSeconds: seconds },
  )
}

export function breakerFailed(
  address: string,
  reason: string,
  { breakerFailures, breakerSeconds }: ProviderLimits,
): void {
  const record = records.get(address) ?? { failures: 0, openUntil: 0, reason }
  record.failures += 1
  record.reason = reason
  if (record.failures >= breakerFailures) {
    record.openUntil = performance.now() + breakerSeconds * 1_000
    // Once that time has passed, a single failure opens the circuit again.
    record.failures = breakerFailures - 1
  }
  records.set(address, record)
}

export function breakerPassed(address: string): void {
  records.delete(address)
}
