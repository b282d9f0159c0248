import * as t from 'typebox'
import { findFavorites } from '#src/favorite/favorites'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { listenerOf } from '#src/listening/api'
import { listProgress } from '#src/listening/queries'
import { itemLinkPicture } from '#src/picture/rules'
import type { RequestContext } from '#src/request/context'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import type { PageMeta } from '#src/ui/document'
import { urls } from '#src/urls'
import { findOpinion } from '#src/vote/queries'
import { readerOf } from './api'
import { FlowPage } from './flow-page'
import { HiddenItem } from './hidden-item'
import { listItems } from './list-items'
import { whyNotShown } from './never-shown'
import { type Reading, readItem } from './read'
import { missingItem } from './require-item'
import type { Item, NeverShown } from './schema'
import { StoryPage } from './story-page'
import { structuredData } from './structured-data'

/** `show=once` comes from the link in the notice about a hidden item. */
const ItemPageQuery = t.Object({ show: t.Optional(t.String({ maxLength: 10 })) })

/** The page of an item, at its slug. */
export function itemPages() {
  return router()
    .get(
      '/story/:slug',
      ({ params, query, context }) => itemPage(context, { type: 'story', slug: params.slug }, query),
      { query: ItemPageQuery, detail: { hide: true } },
    )
    .get(
      '/flow/:slug',
      ({ params, query, context }) => itemPage(context, { type: 'flow', slug: params.slug }, query),
      { query: ItemPageQuery, detail: { hide: true } },
    )
}

async function itemPage(
  context: RequestContext,
  by: { type: string; slug: string },
  { show }: t.Static<typeof ItemPageQuery>,
): Promise<Response> {
  const { services } = context
  const { db, env } = services
  const { neverShown } = context.caller
  // Determined before the visitor may get an id with this page: a new id has no position yet.
  const listener = listenerOf(context)
  const freeStoryLimit = await findFreeStoryLimit(services)
  const reading = await readItem(db, by, await readerOf(context), freeStoryLimit)
  if (!reading) throw missingItem()
  const { item } = reading
  const why = neverShown && show !== 'once' ? await whyNotShown(db, item, neverShown) : null
  if (why) return hiddenPage(context, item, why)
  const [viewer, favorites, progress, related, opinion] = await Promise.all([
    context.viewer(),
    favoritesOf(context, [item]),
    listener ? listProgress(db, listener, [item.id]) : null,
    listItems(db, { categories: item.categories.slice(0, 1), limit: 7, neverShown }, 'none'),
    findOpinion(db, context.caller.member?.id ?? null, item.id),
  ])
  const View = item.type === 'story' ? StoryPage : FlowPage
  return renderPage(context, {
    section: item.type === 'story' ? 'stories' : 'explore',
    frame: item.type === 'story' ? 'reader' : 'shell',
    meta: itemMeta(services, reading),
    body: (
      <View
        viewer={viewer}
        reading={reading}
        isFavorite={favorites.has(item.id)}
        progress={progress?.get(item.id) ?? null}
        opinion={opinion}
        freeStoryLimit={freeStoryLimit}
        shareUrl={env.publicUrl + urls.item(item)}
        related={related.items.filter((each) => each.id !== item.id).slice(0, 6)}
      />
    ),
  })
}

/** The page that replaces a hidden item: says why it is hidden, with a link that shows it once. */
async function hiddenPage(context: RequestContext, item: Item, why: NeverShown): Promise<Response> {
  return renderPage(context, {
    section: item.type === 'story' ? 'stories' : 'explore',
    meta: { title: 'Hidden by your settings', isIndexed: false },
    body: <HiddenItem item={item} why={why} />,
  })
}

function itemMeta({ env }: Services, { item }: Reading): PageMeta {
  const url = env.publicUrl + urls.item(item)
  const { path, alt } = itemLinkPicture(item, env.siteName)
  const image = { url: env.publicUrl + path, alt }
  return {
    title: item.title,
    description: item.description || item.excerpt,
    canonicalUrl: url,
    // Search engines do not index members' own items.
    isIndexed: item.source === 'pre_uploaded',
    openGraph: {
      type: item.type === 'story' ? 'article' : 'music.song',
      url,
      image,
    },
    structuredData: structuredData(item, { url, imageUrl: image.url }, env),
  }
}

/** Finds which of the items the caller has saved. Returns their ids. */
export async function favoritesOf(
  { caller, services: { db } }: RequestContext,
  items: readonly Item[],
): Promise<Set<string>> {
  return caller.member
    ? findFavorites(
        db,
        caller.member.id,
        items.map((item) => item.id),
      )
    : new Set()
}
