import * as t from 'typebox'
import { findFreeStoryLimit } from '#src/flag/flags'
import type { RequestContext } from '#src/http/context'
import { orListError, type Page, renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import { listenerOf } from '#src/listening/api'
import { listProgress } from '#src/listening/queries'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { findFavorites } from '#src/shelf/favorites'
import { ButtonLink } from '#src/ui/button'
import type { PageMeta } from '#src/ui/document'
import { ErrorState } from '#src/ui/error-state'
import { urls } from '#src/urls'
import { findOpinion } from '#src/vote/queries'
import { readerOf } from './api'
import { Explore } from './explore'
import { FlowPage } from './flow-page'
import { HiddenItem } from './hidden-item'
import { type NeverShown, whyNotShown } from './never-shown'
import { listCategories, listItems } from './queries'
import { type Reading, readItem } from './read'
import { ReadStories } from './read-stories'
import { categories, itemTypes, searchCharactersMax } from './rules'
import type { Item } from './schema'
import { oneOf } from './schema'
import { StoryPage } from './story-page'
import { structuredData } from './structured-data'

const ListPageQuery = t.Object({
  type: t.Optional(oneOf(itemTypes)),
  category: t.Optional(oneOf(categories)),
  q: t.Optional(t.String({ maxLength: searchCharactersMax })),
  cursor: t.Optional(t.String({ maxLength: 200 })),
})

/** `show` is said by the notice before a hidden item. */
const ItemPageQuery = t.Object({ show: t.Optional(t.String({ maxLength: 10 })) })

/** An empty address is the page itself, whatever it is. */
const exploreAway: Page = {
  section: 'explore',
  meta: { title: 'Explore Audios', isIndexed: false },
  body: (
    <ErrorState title="Error loading content" words="Please try refreshing the page">
      <ButtonLink kind="quiet" href="" data-hard="">
        Refresh Page
      </ButtonLink>
    </ErrorState>
  ),
}
const storiesAway: Page = {
  section: 'stories',
  meta: { title: 'Read Stories', isIndexed: false },
  body: (
    <ErrorState title="Failed to Load Stories">
      <div className="btn-row">
        <ButtonLink kind="primary" href="">
          Try Again
        </ButtonLink>
        <ButtonLink kind="quiet" href="" data-hard="">
          Refresh Page
        </ButtonLink>
      </div>
    </ErrorState>
  ),
}

/** The pages of the library: Explore, Read Stories, and one page for every item. */
export function storyPages(parts: Parts) {
  const { db, env } = parts
  return router()
    .get(
      '/',
      ({ query, request, context }) =>
        orListError(parts, request, context, exploreAway, async () => {
          const type = query.type ?? 'story'
          const { neverShown } = context.caller
          const [viewer, list, chips] = await Promise.all([
            viewerOf(parts, context),
            listItems(
              db,
              { type, categories: query.category ? [query.category] : [], cursor: query.cursor, neverShown },
              'none',
            ),
            listCategories(db, type, neverShown),
          ])
          const favorites = await favoritesOf(parts, context, list.items)
          const sample = isFirstPage(query) ? list.items.find((item) => item.audioUrl !== null) : undefined
          return renderPage(parts, request, viewer, {
            section: 'explore',
            meta: {
              title: 'Explore Audios',
              description: `Narrated stories and guided flows for adults, on ${env.siteName}.`,
              canonicalUrl: env.publicUrl + urls.explore({ type: query.type, category: query.category }),
              openGraph: { type: 'website', url: env.publicUrl + urls.explore() },
            },
            body: (
              <Explore
                viewer={viewer}
                list={list}
                type={type}
                category={query.category ?? null}
                categories={chips}
                favorites={favorites}
                hasWelcome={
                  isFirstPage(query) &&
                  viewer.member === null &&
                  context.cookies.get('nocturne_welcome') !== 'hidden'
                }
                freeStoryLimit={await findFreeStoryLimit(parts)}
                sample={sample}
              />
            ),
          })
        }),
      { query: ListPageQuery, detail: { hide: true } },
    )
    .get(
      '/stories',
      ({ query, request, context }) =>
        orListError(parts, request, context, storiesAway, async () => {
          const filter = {
            type: 'story' as const,
            categories: query.category ? [query.category] : [],
            q: query.q,
            cursor: query.cursor,
            neverShown: context.caller.neverShown,
          }
          const [viewer, list, chips] = await Promise.all([
            viewerOf(parts, context),
            listItems(db, filter, 'none'),
            listCategories(db, 'story', context.caller.neverShown),
          ])
          const [favorites, progress] = await Promise.all([
            favoritesOf(parts, context, list.items),
            progressOf(parts, context, list.items),
          ])
          return renderPage(parts, request, viewer, {
            section: 'stories',
            meta: {
              title: 'Read Stories',
              description: `Stories for adults to read on ${env.siteName}.`,
              canonicalUrl: env.publicUrl + urls.stories({ category: query.category }),
            },
            body: (
              <ReadStories
                viewer={viewer}
                list={list}
                category={query.category ?? null}
                q={query.q ?? ''}
                categories={chips}
                favorites={favorites}
                progress={progress}
                freeStoryLimit={await findFreeStoryLimit(parts)}
              />
            ),
          })
        }),
      { query: ListPageQuery, detail: { hide: true } },
    )
    .get(
      '/story/:slug',
      ({ params, query, request, context }) =>
        itemPage(parts, request, context, { type: 'story', slug: params.slug }, query),
      { query: ItemPageQuery, detail: { hide: true } },
    )
    .get(
      '/flow/:slug',
      ({ params, query, request, context }) =>
        itemPage(parts, request, context, { type: 'flow', slug: params.slug }, query),
      { query: ItemPageQuery, detail: { hide: true } },
    )
}

async function itemPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  by: { type: string; slug: string },
  { show }: t.Static<typeof ItemPageQuery>,
): Promise<Response> {
  const { db, env } = parts
  const { neverShown } = context.caller
  const freeStoryLimit = await findFreeStoryLimit(parts)
  const reading = await readItem(db, by, readerOf(parts, request, context), freeStoryLimit)
  if (!reading) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  const { item } = reading
  const why = neverShown && show !== 'once' ? await whyNotShown(db, item, neverShown) : null
  if (why) return hiddenPage(parts, request, context, item, why)
  const [viewer, favorites, progress, related, opinion] = await Promise.all([
    viewerOf(parts, context),
    favoritesOf(parts, context, [item]),
    progressOf(parts, context, [item]),
    listItems(db, { categories: item.categories.slice(0, 1), limit: 7, neverShown }, 'none'),
    findOpinion(db, context.caller.member?.id ?? null, item.id),
  ])
  const View = item.type === 'story' ? StoryPage : FlowPage
  return renderPage(parts, request, viewer, {
    section: item.type === 'story' ? 'stories' : 'explore',
    frame: item.type === 'story' ? 'reader' : 'shell',
    meta: itemMeta(parts, reading),
    body: (
      <View
        viewer={viewer}
        reading={reading}
        isFavorite={favorites.has(item.id)}
        progress={progress.get(item.id) ?? null}
        opinion={opinion}
        freeStoryLimit={freeStoryLimit}
        shareUrl={env.publicUrl + urls.item(item)}
        related={related.items.filter((each) => each.id !== item.id).slice(0, 6)}
      />
    ),
  })
}

/** In place of an item that its reader hides: nothing of it but why, and a way past. */
async function hiddenPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  item: Item,
  why: NeverShown,
): Promise<Response> {
  return renderPage(parts, request, await viewerOf(parts, context), {
    section: item.type === 'story' ? 'stories' : 'explore',
    meta: { title: 'Hidden by your settings', isIndexed: false },
    body: <HiddenItem item={item} why={why} />,
  })
}

function itemMeta({ env }: Parts, { item }: Reading): PageMeta {
  const url = env.publicUrl + urls.item(item)
  return {
    title: item.title,
    description: item.description || item.excerpt,
    canonicalUrl: url,
    // A member's own is no part of the library that search engines know.
    isIndexed: item.source === 'pre_uploaded',
    openGraph: {
      type: item.type === 'story' ? 'article' : 'music.song',
      url,
      image: env.publicUrl + urls.cover(item.title),
    },
    structuredData: structuredData(item, url, env),
  }
}

async function favoritesOf(
  { db }: Parts,
  { caller }: RequestContext,
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

async function progressOf({ db }: Parts, context: RequestContext, items: readonly Item[]) {
  const listener = listenerOf(context)
  return listener
    ? listProgress(
        db,
        listener,
        items.map((item) => item.id),
      )
    : new Map()
}

function isFirstPage(query: { category?: string; cursor?: string; type?: string }): boolean {
  return !query.category && !query.cursor && !query.type
}
