/** Limits and formats of mail. Browser-safe. */
import { oddCharacterProblem } from '#src/text/odd-character'

export const subjectCharactersMax = 200
export const textCharactersMax = 100_000
/** The subject of discreet mails, whatever they are about. */
export const discreetSubject = 'A message for you'

/**
 * The maximum number of attempts. With ten minutes between the later ones they take about three days, as long as mail
 * servers retry.
 */
export const attemptsMax = 450
/** How long sent mails are retained: the time it takes to look into a complaint. */
export const sentRetentionHours = 24

export type MailAddress = { name: string; address: string }

/** Parses "Nocturne <hello@example.com>" or an address alone; null for other text. */
export function readMailAddress(text: string): MailAddress | null {
  const [, name = '', address = text.trim()] = text.match(/^\s*([^<>]*?)\s*<([^<>]+)>\s*$/) ?? []
  if (!isMailAddress(address) || oddCharacterProblem('name', name, 'line')) return null
  return { name: name.replace(/^"(.*)"$/, '$1'), address }
}

/**
 * Whether mail can be sent to an address: one recipient, and no character that could end a header or add a recipient.
 * Accounts from before registration checked this may have another address; they get no mail.
 */
export function isMailAddress(address: string): boolean {
  return (
    address.length <= 254 &&
    !oddCharacterProblem('address', address, 'address') &&
    /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/.test(address)
  )
}
