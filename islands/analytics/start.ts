import { type Client, startClient } from '#islands/analytics/client'
import { readConsent } from '#islands/analytics/consent'
import { startConsentChoice } from '#islands/analytics/consent-choice'
import type { Early } from '#islands/analytics/gate'

/**
 * Entry of the client's bundle. The client runs while there is consent, whether given earlier or later on this page.
 */
export function start(early: readonly Early[]): void {
  let client: Client | null = readConsent() === true ? startClient(early) : null
  startConsentChoice((consent) => {
    if (!consent) client?.stop()
    client = consent ? (client ?? startClient([])) : null
  })
}
