import { isMailAddress } from '#src/mail/rules'

/** A well-known path (RFC 8615), to which no page links. */
export const securityTxtPath = '/.well-known/security.txt'
/**
 * Validity, well within the year that RFC 9116 (2.5.5) allows. The expiry is computed for each request, so it is never
 * in the past.
 */
const validDays = 180
const dayMs = 86_400_000

/**
 * The content of /.well-known/security.txt (RFC 9116): where to report a weakness, which is the address on the page
 * Contact. Null without that address, since the file must name a contact.
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

/** CONTACT_EMAIL accepts any text, but the file accepts only addresses. */
function uriOf(contact: string): string | null {
  if (URL.parse(contact)?.protocol === 'https:') return contact
  return isMailAddress(contact) ? `mailto:${contact}` : null
}
