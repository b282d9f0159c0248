import type { Assets } from '#src/http/assets'
import type { Manifest } from '#src/ui/manifest'
import { urls } from '#src/urls'

/** What the worker keeps ready from the beginning. */
export type WorkerFiles = { build: string; page: string; discreetPage: string; assets: string[] }

/**
 * The service worker's script: what the build made of islands/offline/worker.ts, with the files of this build in
 * front of it, so that it changes with any of them. Where the operator has turned it off, one that clears up
 * after itself and goes.
 */
export async function serviceWorker(assets: Assets, isOn: boolean): Promise<string> {
  const { manifest } = assets
  const bundle = isOn ? assets.respond(manifest.worker, null) : null
  if (!bundle) return goodbye
  return `self.workerFiles = ${JSON.stringify(filesOf(manifest))}\n${await bundle.text()}`
}

function filesOf({ build, styles, loader, analytics, preload, offline, files }: Manifest): WorkerFiles {
  const icons = [files['favicon.svg'], files['plain.svg']].flatMap((icon) => icon ?? [])
  const names = [styles, loader, analytics, ...preload.fonts, ...icons, ...offline]
  return {
    build,
    page: urls.offline(),
    discreetPage: urls.offline({ look: 'discreet' }),
    assets: names.map(urls.asset),
  }
}

const goodbye = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('nocturne-')) await caches.delete(name)
  indexedDB.deleteDatabase('nocturne')
  await self.registration.unregister()
})()))
`
