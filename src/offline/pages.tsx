import * as t from 'typebox'
import { renderPage } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { PageWithoutNetwork } from './offline-page'
import { serviceWorker } from './service-worker'
import { webManifest } from './web-manifest'

/** What makes the site an app that opens without a network. None of it is of a person. */
export function offlinePages(parts: Parts) {
  const { env, assets } = parts
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
        new Response(await serviceWorker(assets, env.keepsOffline), {
          headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
        }),
      hidden,
    )
    .get(
      '/offline',
      async ({ request, query }) => {
        // As for a visitor who has chosen nothing: the worker keeps it, in both looks, for everyone of this browser.
        const page = await renderPage(
          parts,
          request,
          {
            siteName: env.siteName,
            marketingUrl: env.marketingUrl,
            theme: null,
            member: null,
            owner: null,
            isOperator: false,
            isDiscreet: query.look === 'discreet',
            freeStoriesLeft: null,
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
