import { listen } from '#islands/events'

/**
 * Registers the service worker when the page has all it needs, and tells it at each page whose that is, and whether it is discreet. A newer
 * worker is let in where nothing plays.
 */
export function startOffline(): void {
  const { serviceWorker } = navigator
  if (!serviceWorker || !document.querySelector('link[rel=manifest]')) return
  const tell = async () => {
    const { active, waiting } = await serviceWorker.ready
    active?.postMessage({ ...document.body.dataset })
    if (!document.querySelector('audio[src]')) waiting?.postMessage({ isQuiet: true })
  }
  listen('nocturne:navigated', tell)
  addEventListener('load', () => serviceWorker.register('/service-worker.js').then(tell, console.warn))
}
