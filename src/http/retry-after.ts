/**
 * A Retry-After, which is seconds or a date (RFC 9110 §10.2.3), in seconds within bounds. Undefined where there is none
 * that can be read.
 */
export function readRetryAfter(
  header: string | null,
  { atLeast = 0, atMost }: { atLeast?: number; atMost: number },
): number | undefined {
  if (header === null) return undefined
  const isNumber = /^\s*\d+(\.\d+)?\s*$/.test(header)
  const seconds = isNumber ? Number(header) : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(atMost, Math.max(atLeast, seconds)) : undefined
}
