import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { redirect } from '#src/http/redirect'
import { findSettings } from '#src/member/settings/settings'
import { audioFor } from '#src/narration/playback/may-hear'
import { respondPicture } from '#src/picture/respond-picture'
import { memberOf, nobody } from '#src/request/caller'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import { catalogueOf } from './catalogue'
import { FeedAddressList } from './feed-address-list'
import { findItemPicture, textDocument, transcriptOf } from './item-texts'
import { feedPicture, listFeedItems } from './list-feed-items'
import { printPodcast } from './podcast'
import { endFeeds, findFeedOwner, makeFeeds } from './token'

const hide = { detail: { hide: true } }
const token = t.String({ maxLength: 100 })
const paging = t.Object({ page: t.Optional(wholeNumber('page', 1, 100_000)) })

/** The feeds, which apps fetch with the key in the address, and the settings' form without a script. */
export function feedPages(services: Services) {
  const { db, env } = services
  const places = (key: string) => ({
    origin: env.publicUrl,
    token: key,
  })

  async function ownerOf(key: string): Promise<string> {
    const owner = await findFeedOwner(db, key)
    if (!owner) throw missing()
    return owner
  }

  return router()
    .get(
      '/feed/:token',
      async ({ params, query }) => {
        // The address ends in .xml, by which apps recognise feeds.
        const key = params.token.endsWith('.xml') ? params.token.slice(0, -4) : ''
        const asked = { page: query.page ?? 1, isSpokenOnly: true }
        const feed = await listFeedItems(db, await ownerOf(key), env.siteName, asked)
        return answer(printPodcast(feed, places(key)), 'application/rss+xml; charset=utf-8')
      },
      { params: t.Object({ token }), query: paging, ...hide },
    )
    .get(
      '/opds/:token',
      async ({ params, query }) => {
        const asked = { page: query.page ?? 1, isSpokenOnly: false }
        const feed = await listFeedItems(db, await ownerOf(params.token), env.siteName, asked)
        return answer(JSON.stringify(catalogueOf(feed, places(params.token))), 'application/opds+json')
      },
      { params: t.Object({ token }), query: paging, ...hide },
    )
    .get(
      '/feed/:token/art.png',
      async ({ request, params, query }) => {
        const settings = await findSettings(db, await ownerOf(params.token))
        const picture = feedPicture(settings, env.siteName)
        return respondPicture(services, picture, { request, version: query.v ?? null, audience: 'private' })
      },
      {
        params: t.Object({ token }),
        query: t.Object({ v: t.Optional(t.String({ maxLength: 20 })) }),
        ...hide,
      },
    )
    .get(
      '/feed/:token/:id/:file',
      async ({ request, params }) => {
        const userId = await ownerOf(params.token)
        const { id, file } = params
        const [voice = '', extension] = file.split('.')
        const art = /^art-([0-9a-z]+)\.png$/.exec(file)
        if (art) {
          const picture = await findItemPicture(db, userId, id)
          const version = art[1] ?? null
          return respondPicture(services, picture, { request, version, audience: 'private' })
        }
        if (file === 'text.xhtml')
          return answer(await textDocument(db, userId, id), 'application/xhtml+xml; charset=utf-8')
        const member = { id: userId }
        const audio = await audioFor(db, { ...nobody, member }, id, voice)
        return extension === 'vtt'
          ? answer(await transcriptOf(db, userId, { id, voice }), 'text/vtt; charset=utf-8')
          : services.storage.respond(audio, request)
      },
      {
        params: t.Object({ token, id: t.String({ maxLength: 64 }), file: t.String({ maxLength: 20 }) }),
        ...hide,
      },
    )
    .post(
      '/settings/feeds',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        if (body.action === 'end') {
          await endFeeds(db, id)
          return redirect(urls.settings({ said: 'feeds' }))
        }
        const addresses = await makeFeeds(services, { id, sid: caller.sid })
        return renderPage(context, {
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

/** A text that apps poll every hour. If an app has it already, the pipeline answers "not modified". */
function answer(body: string, type: string): Response {
  return new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' },
  })
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such feed. It may have been renewed or ended in Settings.')
}
