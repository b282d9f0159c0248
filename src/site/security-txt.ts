import { isMailAddress } from '#src/mail/rules'

/** Machines know it (RFC 8615); no page links to it. */
export const securityTxtPath = '/.well-known/security.txt'
/** Well within the year that RFC 9116 (2.5.5) allows, and made anew at every request: it is never in the past. */
const validDays = 180
const dayMs = 86_400_000

/**
 * /.well-known/security.txt (RFC 9116): to whom a weakness is reported, by the address that Contact shows. Null
 * without one: the file has to name a contact.
 */
export function securityTxt(
  { contactEmail, publicUrl }: { contactEmail?: string | undefined; publicUrl: string },
  now: Date,
): string | null {
  const contact = contactEmail === undefined ? null : uriOf(contactEmail)
  if (contact === null) return null
  const expires = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${securityTxtPath}`,
    '',
  ].join('\n')
}

/** CONTACT_EMAIL takes any text; the file takes addresses. */
function uriOf(contact: string): string | null {
  if (URL.parse(contact)?.protocol === 'https:') return contact
  return isMailAddress(contact) ? `mailto:${contact}` : null
}
