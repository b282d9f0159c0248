import OfflineItems from '#islands/offline/offline-items'
import { Island } from '#src/ui/island'

/**
 * The page that the service worker shows in place of any other when there is no network. It contains no personal data.
 */
export function PageWithoutNetwork() {
  return (
    <main className="offline-page" id="main">
      <Island name="offline-items" of={OfflineItems} props={{}} />
    </main>
  )
}
