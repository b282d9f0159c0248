import * as t from 'typebox'
import type { Executor } from '#db/db'
import type { AppError } from '#src/app-error'
import { findListMarks, type ListMarks, noMarks } from '#src/favorite/list-marks'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { listenerOf } from '#src/listening/api'
import type { RequestContext } from '#src/request/context'
import { orListError, type Page, renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { invalidField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import { ButtonLink } from '#src/ui/button'
import { ContentError, ErrorState } from '#src/ui/error-state'
import { urls } from '#src/urls'
import { findFreeStoriesLeft } from './api'
import { drawExplore, drawPlayedCards } from './explore'
import { favoritesOf } from './item-pages'
import { type ListFilter, listCategories, listItems } from './list-items'
import { drawReadCards, drawReadStories } from './read-stories'
import { categories, type ItemType, itemTypes, lengths, searchCharactersMax } from './rules'
import type { Item, ItemList } from './schema'

const ListPageQuery = t.Object({
  type: t.Optional(oneOf(itemTypes)),
  category: t.Optional(t.String({ maxLength: 40 })),
  length: t.Optional(oneOf(['', ...lengths] as const)),
  q: t.Optional(t.String({ maxLength: searchCharactersMax })),
  cursor: t.Optional(t.String({ maxLength: 200 })),
})

/** The page shown while the library cannot be read. */
const exploreAway: Page = {
  section: 'explore',
  meta: { title: 'Explore Audios', isIndexed: false },
  body: <ContentError />,
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

/** The pages of the library: Explore and Read Stories. */
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
          const shown = list.items.length > 0 ? list.items : offers.items
          const favorites = await favoritesOf(context, shown)
          const isMember = viewer.member !== null
          return renderPage(context, {
            section: 'explore',
            meta: {
              title: 'Explore Audios',
              description: `Narrated stories and guided flows for adults, on ${env.siteName}.`,
              canonicalUrl:
                env.publicUrl + urls.explore({ type: query.type, category: category ?? undefined }),
            },
            body: drawExplore(
              viewer.manifest.islandCodes,
              list,
              {
                ...{ type, category, length, categories: chips },
                hasOffers: offers.items.length > 0,
                hasHero:
                  isFirstPage(query) && !isMember && context.cookies.get('nocturne_welcome') !== 'hidden',
                freeStoryLimit: await findFreeStoryLimit(services),
              },
              drawPlayedCards(viewer.manifest, shown, { favorites, isMember }),
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
          const shown = list.items.length > 0 ? list.items : offers.items
          const marks = await listMarksOf(context, shown)
          return renderPage(context, {
            section: 'stories',
            meta: {
              title: 'Read Stories',
              description: `Stories for adults to read on ${env.siteName}.`,
              canonicalUrl: env.publicUrl + urls.stories({ category: category ?? undefined }),
            },
            body: drawReadStories(
              viewer.manifest.islandCodes,
              list,
              {
                ...{ category, length, q: query.q ?? '', categories: chips },
                hasOffers: offers.items.length > 0,
                freeStoriesLeft: await findFreeStoriesLeft(context),
                freeStoryLimit: await findFreeStoryLimit(services),
              },
              drawReadCards(viewer.manifest, shown, {
                ...marks,
                isMember: viewer.member !== null,
              }),
            ),
          })
        }),
      { query: ListPageQuery, detail: { hide: true } },
    )
}

/** Reads the filter from a list's address. Throws `invalid` for an unknown category; case is ignored. */
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

/** The newest items if a filter has found nothing, otherwise none. */
async function listOffers(db: Executor, list: ItemList, filter: ListFilter): Promise<ItemList> {
  const { type, neverShown, cursor } = filter
  if (list.items.length > 0 || cursor) return { ...list, items: [] }
  return listItems(db, { type, neverShown, limit: offersMax }, 'none')
}

async function listMarksOf(context: RequestContext, items: readonly Item[]): Promise<ListMarks> {
  const { db } = context.services
  const listener = listenerOf(context)
  if (!listener) return noMarks
  return findListMarks(
    db,
    listener,
    items.map(({ id }) => id),
  )
}

/** Items to offer: one row of cards on a wide screen. */
const offersMax = 4

function isFirstPage(query: { category?: string; length?: string; cursor?: string; type?: string }): boolean {
  return !query.category && !query.length && !query.cursor && !query.type
}
