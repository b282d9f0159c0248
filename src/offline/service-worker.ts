import type { Assets } from '#src/http/assets'
import type { Manifest } from '#src/ui/manifest'
import { urls } from '#src/urls'

/** The files that the worker caches when it is installed. */
type WorkerFiles = { build: string; page: string; discreetPage: string; assets: string[] }

/**
 * The service worker's script: the build of islands/offline/worker.ts after a list of this build's files, so that it
 * changes with any of them. If the operator has turned offline use off, a script that deletes its data and unregisters
 * itself.
 */
export async function serviceWorker(assets: Assets, { isOn }: { isOn: boolean }): Promise<string> {
  const { manifest } = assets
  const bundle = isOn ? assets.respond(manifest.worker, null) : null
  if (!bundle) return goodbye
  return `self.workerFiles = ${JSON.stringify(filesOf(manifest))}\n${await bundle.text()}`
}

function filesOf({ build, styles, loader, analytics, preload, offline, files }: Manifest): WorkerFiles {
  const favicons = [files['favicon.svg'], files['plain.svg']].flatMap((icon) => icon ?? [])
  const names = [styles, loader, analytics, ...preload.fonts, preload.icons, ...favicons, ...offline]
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
