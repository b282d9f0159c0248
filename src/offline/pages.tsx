import * as t from 'typebox'
import { renderPageFor } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { discreetTitle } from '#src/ui/discreet'
import { PageWithoutNetwork } from './offline-page'
import { serviceWorker } from './service-worker'
import { webManifest } from './web-manifest'

/** The files that make the site an installable app that opens without a network. None contains personal data. */
export function offlinePages(services: Services) {
  const { env, assets } = services
  const hidden = { detail: { hide: true } }
  const look = { query: t.Object({ look: t.Optional(t.Literal('discreet')) }), ...hidden }
  return router()
    .get(
      '/manifest.webmanifest',
      ({ query }) =>
        new Response(JSON.stringify(webManifest(env.siteName, assets.manifest.files, query.look)), {
          headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
        }),
      look,
    )
    .get(
      '/service-worker.js',
      async () =>
        new Response(await serviceWorker(assets, { isOn: env.keepsOffline }), {
          headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
        }),
      hidden,
    )
    .get(
      '/offline',
      ({ query }) => {
        // Rendered for a visitor without preferences, since the worker caches it, in both themes, for everyone who uses
        // this browser.
        const page = renderPageFor(
          services,
          {
            siteName: query.look === 'discreet' ? discreetTitle : env.siteName,
            marketingUrl: env.marketingUrl,
            theme: null,
            member: null,
            owner: null,
            isOperator: false,
            isDiscreet: query.look === 'discreet',
            manifest: assets.manifest,
          },
          { frame: 'bare', meta: { title: 'Offline', isIndexed: false }, body: <PageWithoutNetwork /> },
        )
        page.headers.set('cache-control', 'no-cache')
        return page
      },
      look,
    )
}
