/**
 * Reads the value from a flag's form: that of the pressed button, or the number; null for the default. Browser-safe.
 */
export function readFlagValue(form: { get(name: string): unknown }): boolean | number | null | string {
  const pressed = form.get('value')
  if (pressed === 'default') return null
  if (pressed === 'true' || pressed === 'false') return pressed === 'true'
  const amount = String(form.get('amount') ?? '').trim()
  return /^\d{1,6}$/.test(amount) ? Number(amount) : amount
}
