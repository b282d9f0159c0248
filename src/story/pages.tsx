import * as t from 'typebox'
import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import { findFavorites } from '#src/favorite/favorites'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { listenerOf } from '#src/listening/api'
import { listProgress } from '#src/listening/queries'
import type { RequestContext } from '#src/request/context'
import { orListError, type Page, renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { invalidField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { coverPath } from '#src/text/cover-seed'
import { ButtonLink } from '#src/ui/button'
import type { PageMeta } from '#src/ui/document'
import { ErrorState } from '#src/ui/error-state'
import { urls } from '#src/urls'
import { findOpinion } from '#src/vote/queries'
import { readerOf } from './api'
import { Explore } from './explore'
import { FlowPage } from './flow-page'
import { HiddenItem } from './hidden-item'
import { whyNotShown } from './never-shown'
import { type ListFilter, listCategories, listItems } from './queries'
import { type Reading, readItem } from './read'
import { ReadStories } from './read-stories'
import { categories, type ItemType, itemTypes, lengths, searchCharactersMax } from './rules'
import type { Item, ItemList, NeverShown } from './schema'
import { StoryPage } from './story-page'
import { structuredData } from './structured-data'

const ListPageQuery = t.Object({
  type: t.Optional(oneOf(itemTypes)),
  category: t.Optional(t.String({ maxLength: 40 })),
  length: t.Optional(oneOf(['', ...lengths] as const)),
  q: t.Optional(t.String({ maxLength: searchCharactersMax })),
  cursor: t.Optional(t.String({ maxLength: 200 })),
})

/** `show=once` comes from the notice in place of a hidden item. */
const ItemPageQuery = t.Object({ show: t.Optional(t.String({ maxLength: 10 })) })

/** An empty address is the present page, whichever it is. */
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
export function storyPages(services: Services) {
  const { db, env } = services
  return router()
    .get(
      '/',
      ({ query, context }) =>
        orListError(context, exploreAway, async () => {
          const type = query.type ?? 'story'
          const { filter, category, length } = readFilter(context, { ...query, type })
          const [viewer, list, chips] = await Promise.all([
            context.viewer(),
            listItems(db, filter, 'none'),
            listCategories(db, type, filter.neverShown),
          ])
          const offers = await listOffers(db, list, filter)
          const favorites = await favoritesOf(context, [...list.items, ...offers.items])
          const sample = isFirstPage(query) ? list.items.find((item) => item.audioUrl !== null) : undefined
          return renderPage(context, {
            section: 'explore',
            meta: {
              title: 'Explore Audios',
              description: `Narrated stories and guided flows for adults, on ${env.siteName}.`,
              canonicalUrl:
                env.publicUrl + urls.explore({ type: query.type, category: category ?? undefined }),
              openGraph: { type: 'website', url: env.publicUrl + urls.explore() },
            },
            body: (
              <Explore
                viewer={viewer}
                list={list}
                type={type}
                category={category}
                length={length}
                offers={offers}
                categories={chips}
                favorites={favorites}
                hasHero={
                  isFirstPage(query) &&
                  viewer.member === null &&
                  context.cookies.get('nocturne_welcome') !== 'hidden'
                }
                freeStoryLimit={await findFreeStoryLimit(services)}
                sample={sample}
              />
            ),
          })
        }),
      { query: ListPageQuery, detail: { hide: true } },
    )
    .get(
      '/stories',
      ({ query, context }) =>
        orListError(context, storiesAway, async () => {
          const { filter, category, length } = readFilter(context, { ...query, type: 'story' })
          const [viewer, list, chips] = await Promise.all([
            context.viewer(),
            listItems(db, filter, 'none'),
            listCategories(db, 'story', filter.neverShown),
          ])
          const offers = await listOffers(db, list, filter)
          const shown = [...list.items, ...offers.items]
          const [favorites, progress] = await Promise.all([
            favoritesOf(context, shown),
            progressOf(context, shown),
          ])
          return renderPage(context, {
            section: 'stories',
            meta: {
              title: 'Read Stories',
              description: `Stories for adults to read on ${env.siteName}.`,
              canonicalUrl: env.publicUrl + urls.stories({ category: category ?? undefined }),
            },
            body: (
              <ReadStories
                viewer={viewer}
                list={list}
                category={category}
                length={length}
                offers={offers}
                q={query.q ?? ''}
                categories={chips}
                favorites={favorites}
                progress={progress}
                freeStoryLimit={await findFreeStoryLimit(services)}
              />
            ),
          })
        }),
      { query: ListPageQuery, detail: { hide: true } },
    )
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

/** The filter of a list's address. Throws `invalid` for a category that there is not; upper case is no other one. */
function readFilter(
  { caller: { neverShown } }: RequestContext,
  { type, category: given, length, q, cursor }: t.Static<typeof ListPageQuery> & { type: ItemType },
) {
  const category = given ? categories.find((each) => each === given.trim().toLowerCase()) : null
  if (category === undefined) throw unknownCategory()
  const filter = {
    ...{ type, q, cursor, neverShown, length: length || undefined },
    categories: category ? [category] : [],
  }
  return { filter, category, length: filter.length }
}

function unknownCategory(): AppError {
  return invalidField('category', `Expected one of: ${categories.join(', ')}`)
}

/** The newest items, where a filter has found nothing; else none. */
async function listOffers(db: Executor, list: ItemList, filter: ListFilter): Promise<ItemList> {
  const { type, neverShown, cursor } = filter
  if (list.items.length > 0 || cursor) return { ...list, items: [] }
  return listItems(db, { type, neverShown, limit: offersMax }, 'none')
}

/** A row of cards on a wide screen. */
const offersMax = 4

async function itemPage(
  context: RequestContext,
  by: { type: string; slug: string },
  { show }: t.Static<typeof ItemPageQuery>,
): Promise<Response> {
  const { services } = context
  const { db, env } = services
  const { neverShown } = context.caller
  const freeStoryLimit = await findFreeStoryLimit(services)
  const reading = await readItem(db, by, await readerOf(context), freeStoryLimit)
  if (!reading) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  const { item } = reading
  const why = neverShown && show !== 'once' ? await whyNotShown(db, item, neverShown) : null
  if (why) return hiddenPage(context, item, why)
  const [viewer, favorites, progress, related, opinion] = await Promise.all([
    context.viewer(),
    favoritesOf(context, [item]),
    progressOf(context, [item]),
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
        progress={progress.get(item.id) ?? null}
        opinion={opinion}
        freeStoryLimit={freeStoryLimit}
        shareUrl={env.publicUrl + urls.item(item)}
        related={related.items.filter((each) => each.id !== item.id).slice(0, 6)}
      />
    ),
  })
}

/** The page in place of a hidden item: why it is hidden, and a link that shows it once. */
async function hiddenPage(context: RequestContext, item: Item, why: NeverShown): Promise<Response> {
  return renderPage(context, {
    section: item.type === 'story' ? 'stories' : 'explore',
    meta: { title: 'Hidden by your settings', isIndexed: false },
    body: <HiddenItem item={item} why={why} />,
  })
}

function itemMeta({ env }: Services, { item }: Reading): PageMeta {
  const url = env.publicUrl + urls.item(item)
  return {
    title: item.title,
    description: item.description || item.excerpt,
    canonicalUrl: url,
    // Members' own items are not for search engines.
    isIndexed: item.source === 'pre_uploaded',
    openGraph: {
      type: item.type === 'story' ? 'article' : 'music.song',
      url,
      image: env.publicUrl + coverPath(item.title),
    },
    structuredData: structuredData(item, url, env),
  }
}

async function favoritesOf(
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

async function progressOf(context: RequestContext, items: readonly Item[]) {
  const { db } = context.services
  const listener = listenerOf(context)
  return listener
    ? listProgress(
        db,
        listener,
        items.map((item) => item.id),
      )
    : new Map()
}

function isFirstPage(query: { category?: string; length?: string; cursor?: string; type?: string }): boolean {
  return !query.category && !query.length && !query.cursor && !query.type
}
