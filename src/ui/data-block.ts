const unsafe: Record<string, string> = { '<': '\\u003c', '\u2028': '\\u2028', '\u2029': '\\u2029' }

/** JSON for a `<script>` data block, escaped so that it cannot end the block or break a line of a script. */
export function toDataBlock(data: unknown): string {
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, (found) => unsafe[found] ?? '')
}
