/** Numbers and forms of mail. Browser-safe: no imports. */

export const subjectCharactersMax = 200
export const textCharactersMax = 100_000
/** Who asked for discretion gets this subject, whatever the mail is about. */
export const discreetSubject = 'A message for you'

/** With ten minutes between the later tries about three days, as mail servers themselves try. */
export const attemptsMax = 450
/** What is sent is kept no longer than it takes to look into a complaint. */
export const sentKeptHours = 24

export type MailAddress = { name: string; address: string }

/** "Nocturne <hello@example.com>" or the address alone; null for what is neither. */
export function readMailAddress(text: string): MailAddress | null {
  const [, name = '', address = text.trim()] = text.match(/^\s*([^<>]*?)\s*<([^<>]+)>\s*$/) ?? []
  if (!isMailAddress(address) || /\p{Cc}/u.test(name)) return null
  return { name: name.replace(/^"(.*)"$/, '$1'), address }
}

/**
 * Whether mail can be written to an address: one recipient and nothing that could end a header or name a second.
 * Registration takes more than this; such an address gets no mail.
 */
export function isMailAddress(address: string): boolean {
  return address.length <= 254 && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(address)
}
