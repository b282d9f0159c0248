import { listen } from '#islands/events'

/** Registers the service worker when there is time, and tells it at each page whose that is. */
export function startOffline(): void {
  if (!('serviceWorker' in navigator) || !document.querySelector('link[rel=manifest]')) return
  const tell = (isQuiet: boolean) => {
    const { owner } = document.body.dataset
    void navigator.serviceWorker.getRegistration().then((found) => {
      found?.active?.postMessage({ owner })
      if (isQuiet) found?.waiting?.postMessage({ isQuiet })
    })
  }
  listen('nocturne:navigated', () => tell(false))
  const register = async () => {
    await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' })
    await navigator.serviceWorker.ready
    tell(!document.querySelector('audio[src]'))
  }
  // Private windows of some browsers have no workers: then everything needs the network.
  addEventListener('load', () => void register().catch((error) => console.warn('No offline use', error)))
}
