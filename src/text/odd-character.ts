/**
 * The characters that are not allowed in pasted values which become a header, an address or a line of a mail. A key
 * with a zero-width character looks right and fails in every call. Browser-safe: no imports.
 */
const oddIn = {
  /**
   * HTTP allows visible ASCII and spaces in a header, and nothing else that all implementations parse alike (RFC 9110
   * §5.5).
   */
  header: /[^\x20-\x7e]/u,
  /** An address can have a host name in any script; other characters are percent-encoded. */
  address: /[^\x20-\x7e\p{L}\p{M}\p{N}]/u,
  /** One line of text in any language, without line ends, control characters, and invisible characters. */
  line: /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?!\u200d)\p{Cf}/u,
} as const
export type ValueKind = keyof typeof oddIn

/**
 * A message about the first character of a value that its kind does not allow, with its position (from 1) and code
 * point; null if there is none. The value itself is not repeated. `what` is "key" or "address".
 */
export function oddCharacterProblem(what: string, value: string, kind: ValueKind): string | null {
  const at = value.search(oddIn[kind])
  if (at < 0) return null
  const place = [...value.slice(0, at)].length + 1
  const code = (value.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `The ${what} holds a character that no ${what} has, at place ${place}: U+${code}. Paste it again.`
}
