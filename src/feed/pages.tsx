import * as t from 'typebox'
import { memberOf } from '#src/http/caller'
import { redirect } from '#src/http/redirect'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { sha256 } from '#src/keyed-hash'
import { audioFor } from '#src/narration/may-hear'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { urls } from '#src/urls'
import { catalogueOf } from './catalogue'
import { FeedAddressList } from './feed-address-list'
import { listFeedItems } from './list-feed-items'
import { printPodcast } from './podcast'
import { endFeeds, findFeedOwner, makeFeeds } from './token'

const hide = { detail: { hide: true } }
const token = t.String({ maxLength: 100 })

/** What apps of a member fetch with the key in the address, and the settings' form without a script. */
export function feedPages(parts: Parts) {
  const { db, env } = parts
  const places = (key: string) => ({
    origin: env.publicUrl,
    token: key,
    imageUrl: env.publicUrl + urls.asset(parts.assets.manifest.files['icon-512.png'] ?? ''),
  })

  async function ownerOf(key: string): Promise<string> {
    const owner = await findFeedOwner(db, key)
    if (!owner) throw missing()
    return owner
  }

  return router()
    .get(
      '/feed/:token',
      async ({ request, params }) => {
        // The address ends in .xml: apps go by it.
        const key = params.token.endsWith('.xml') ? params.token.slice(0, -4) : ''
        const feed = await listFeedItems(db, await ownerOf(key), env.siteName)
        return answer(request, printPodcast(feed, places(key)), 'application/rss+xml; charset=utf-8')
      },
      { params: t.Object({ token }), ...hide },
    )
    .get(
      '/opds/:token',
      async ({ request, params }) => {
        const feed = await listFeedItems(db, await ownerOf(params.token), env.siteName)
        return answer(
          request,
          JSON.stringify(catalogueOf(feed, places(params.token))),
          'application/opds+json',
        )
      },
      { params: t.Object({ token }), ...hide },
    )
    .get(
      '/feed/:token/:id/:file',
      async ({ request, params }) => {
        const owner = await ownerOf(params.token)
        const [voice = ''] = params.file.split('.')
        const member = { id: owner }
        return parts.storage.respond(
          await audioFor(db, { member, operator: null }, params.id, voice),
          request,
        )
      },
      {
        params: t.Object({ token, id: t.String({ maxLength: 64 }), file: t.String({ maxLength: 20 }) }),
        ...hide,
      },
    )
    .post(
      '/settings/feeds',
      async ({ request, context, caller, body }) => {
        const { id } = memberOf(caller)
        if (body.action === 'end') {
          await endFeeds(db, id)
          return redirect(urls.settings({ said: 'feeds' }))
        }
        const addresses = await makeFeeds(parts, id)
        return renderPage(parts, request, await viewerOf(parts, context), {
          meta: { title: 'Your private feeds', isIndexed: false },
          body: (
            <section className="panel stack" aria-labelledby="feeds-title">
              <h1 id="feeds-title" className="title-lg">
                Your private feeds
              </h1>
              <FeedAddressList addresses={addresses} />
              <a className="link" href={urls.settings()}>
                Back to Settings
              </a>
            </section>
          ),
        })
      },
      { body: t.Object({ action: t.Union([t.Literal('make'), t.Literal('end')]) }), ...hide },
    )
}

/** The whole text, or "not modified" to an app that has it: they ask every hour. */
function answer(request: Request, body: string, type: string): Response {
  const etag = `"${sha256(body).slice(0, 32)}"`
  const headers = { etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'content-type': type } })
}

function missing(): Refusal {
  return new Refusal('not_found', 'There is no such feed. It may have been renewed or ended in Settings.')
}
