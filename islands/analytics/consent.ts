import { readStored, writeStored } from '#islands/runtime/browser-storage'

const storageName = 'nocturne.consent'

/** Whether usage may be tracked; null if the site asks and the visitor has not answered. */
export function decideConsent(stored: string | null, { isAsked }: { isAsked: boolean }): boolean | null {
  if (stored === 'true' || stored === 'false') return stored === 'true'
  return isAsked ? null : true
}

/** Returns the visitor's choice, or null if there is none. If the site does not ask, consent is stored on first use. */
export function readConsent(): boolean | null {
  const stored = readStored('localStorage', storageName)
  const consent = decideConsent(stored, { isAsked: document.documentElement.dataset.consent === 'ask' })
  if (stored === null && consent !== null) storeConsent(consent)
  return consent
}

export function storeConsent(consent: boolean): void {
  writeStored('localStorage', storageName, String(consent))
}
