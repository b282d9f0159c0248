import { keepStored, readStored } from '#islands/browser-storage'

const storageName = 'nocturne.consent'

/** Whether usage may be tracked; null while a site that asks has no answer. */
export function decideConsent(stored: string | null, isAsked: boolean): boolean | null {
  if (stored === 'true' || stored === 'false') return stored === 'true'
  return isAsked ? null : true
}

/** The choice, kept on first use where it is the site's default (visitor.md §4). */
export function readConsent(): boolean | null {
  const stored = readStored('localStorage', storageName)
  const consent = decideConsent(stored, document.documentElement.dataset.consent === 'ask')
  if (stored === null && consent !== null) keepConsent(consent)
  return consent
}

export function keepConsent(consent: boolean): void {
  keepStored('localStorage', storageName, String(consent))
}
