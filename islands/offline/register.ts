import { listen } from '#islands/runtime/events'

/**
 * Registers the service worker when the page has loaded. The worker receives the owner of each page, and whether the
 * page is discreet. A newer worker is activated while nothing is playing.
 */
export function startOffline(): void {
  const { serviceWorker } = navigator
  if (!serviceWorker || !document.querySelector('link[rel=manifest]')) return
  const sendPage = async () => {
    const { active, waiting } = await serviceWorker.ready
    active?.postMessage({ ...document.body.dataset })
    if (!document.querySelector('audio[src]')) waiting?.postMessage({ isQuiet: true })
  }
  listen('nocturne:navigated', sendPage)
  addEventListener('load', () => serviceWorker.register('/service-worker.js').then(sendPage, console.warn))
}
