/**
 * Parses a Retry-After header, which is seconds or a date (RFC 9110 §10.2.3), into seconds within bounds. Undefined if
 * it is missing or invalid.
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
