const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the format of a row's id. */
export function isId(text: string): boolean {
  return uuid.test(text)
}
