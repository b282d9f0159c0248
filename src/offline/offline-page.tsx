import OfflineShelf from '#islands/offline-shelf'
import { Island } from '#src/ui/island'

/** What the service worker shows in the place of any page when there is no network. It is nobody's. */
export function PageWithoutNetwork() {
  return (
    <main className="offline-page" id="main">
      <Island name="offline-shelf" of={OfflineShelf} props={{}} />
    </main>
  )
}
