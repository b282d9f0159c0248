/** Where a page of a list ended: the sort's own value and the id, as opaque text. */
export type Cursor = { value: string; id: string }

export function writeCursor({ value, id }: Cursor): string {
  return Buffer.from(`${value}|${id}`).toString('base64url')
}

/** The cursor that a text stands for, or null where it is not one of ours. */
export function readCursor(text: string): Cursor | null {
  const [value, id, ...rest] = Buffer.from(text, 'base64url').toString().split('|')
  return value && id && rest.length === 0 && /^[0-9a-f-]{36}$/.test(id) && /^[0-9TZ:.-]{1,30}$/.test(value)
    ? { value, id }
    : null
}
