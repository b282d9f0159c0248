import { listen } from '#islands/runtime/events'

/**
 * Registers the service worker when the page has loaded, and sends it the owner of each page, and whether it is
 * discreet. A newer worker is activated where nothing plays.
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
