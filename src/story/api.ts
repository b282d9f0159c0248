import * as t from 'typebox'
import { removalDays } from '#db/changes'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { isCrawler } from '#src/http/crawler'
import { wholeNumber } from '#src/http/query'
import type { RequestContext } from '#src/request/context'
import { pageHeaders } from '#src/request/page-headers'
import { about, router } from '#src/request/router'
import { giveVisitorId } from '#src/request/visitor-id'
import type { Services } from '#src/services'
import { ChangesQuery, Removal, readSince } from '#src/shape/changes'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import { oneOf } from '#src/shape/one-of'
import type { TextShown } from './item-row'
import { type ItemChanges, type ListFilter, listCategories, listChangedItems, listItems } from './list-items'
import { countFreeStoriesLeft } from './meter'
import { type Reader, readItem } from './read'
import { missingItem } from './require-item'
import { categories, itemTypes, lengths, listLimitMax, searchCharactersMax, sorts, sources } from './rules'
import { Item, type ItemList, type NeverShown } from './schema'

const ListQuery = t.Object({
  source: t.Optional(oneOf(sources, { description: 'Only pre_uploaded items are listed.' })),
  type: t.Optional(oneOf(itemTypes)),
  categories: t.Optional(
    t.String({ maxLength: 300, description: 'Comma-separated; items with any of them.' }),
  ),
  q: t.Optional(
    t.String({
      maxLength: searchCharactersMax,
      description: 'Words of title, description, excerpt or categories.',
    }),
  ),
  length: t.Optional(
    oneOf(lengths, { description: 'By the minutes of the narration: under 6, 6 to 15, over 15.' }),
  ),
  sort: t.Optional(oneOf(sorts)),
  limit: t.Optional(wholeNumber('limit', 1, listLimitMax)),
  cursor: t.Optional(t.String({ maxLength: 200 })),
  ...ChangesQuery,
})
type ListQuery = t.Static<typeof ListQuery>

/** Public routes of the library. */
export function storyApi(services: Services) {
  const { db } = services

  async function readList(
    query: ListQuery,
    { neverShown }: { neverShown: NeverShown | null },
    text: TextShown,
  ) {
    const since = readSince(query, removalDays)
    const filter = { ...toFilter(query), neverShown }
    return since ? listChangedItems(db, filter, since, text) : listItems(db, filter, text)
  }

  return router()
    .get(
      '/api/content',
      async ({ query, caller, context }) => {
        if (query.source === 'user_generated') return listAnswer(context, noItems)
        const list = await readList(query, caller, caller.member || caller.operator ? 'whole' : 'preview')
        return listAnswer(context, list)
      },
      {
        query: ListQuery,
        response: t.Array(t.Union([Item, Removal])),
        ...about('content', 'List the published stories and flows', followed),
      },
    )
    .get(
      '/api/content/categories',
      async ({ query, caller }) =>
        query.source === 'user_generated' ? [] : listCategories(db, query.type, caller.neverShown),
      {
        query: t.Pick(ListQuery, ['source', 'type']),
        response: t.Array(t.String()),
        ...about('content', 'List the categories that have published items'),
      },
    )
    .get(
      '/api/content/:id',
      async ({ params, context }) => {
        if (!isId(params.id)) throw missingItem()
        const reading = await readItem(
          db,
          { id: params.id },
          await readerOf(context),
          await findFreeStoryLimit(services),
        )
        if (!reading) throw missingItem()
        return reading.item
      },
      {
        params: t.Object({ id: t.String() }),
        response: Item,
        ...about(
          'content',
          'Read one item',
          'For a visitor this counts as opening it: past the free limit `content` is a preview.',
        ),
      },
    )
    .get(
      '/api/stories',
      async ({ query, caller, context }) => {
        const list = await readList(query, caller, 'preview')
        return listAnswer(context, list)
      },
      {
        query: t.Pick(ListQuery, ['limit', 'cursor', 'updatedSince', 'include']),
        response: t.Array(t.Union([Item, Removal])),
        ...about('content', 'List the published items, newest first', followed),
      },
    )
}

/** Determines the reader of an item, for the free-reading meter. */
export async function readerOf(context: RequestContext): Promise<Reader> {
  const { member, operator, isVisitorCounted: isCounted, addressHash } = context.caller
  if (member || operator) return { kind: 'member', memberId: member?.id ?? null }
  if (isCrawler(context.request)) return { kind: 'crawler' }
  return { kind: 'visitor', isCounted, visitorId: await giveVisitorId(context), addressHash }
}

/** Counts the stories that the caller may still open for free. Null for members and operators, who are not counted. */
export async function findFreeStoriesLeft({ caller, services }: RequestContext): Promise<number | null> {
  if (caller.member || caller.operator) return null
  const limit = await findFreeStoryLimit(services)
  return caller.visitorId ? countFreeStoriesLeft(services.db, caller.visitorId, limit) : limit
}

function toFilter(query: ListQuery): ListFilter {
  const { categories: list, type, q, length, sort, limit, cursor } = query
  return {
    type,
    q,
    length,
    sort,
    limit,
    cursor,
    categories: list === undefined ? undefined : readCategories(list),
  }
}

function readCategories(list: string): string[] {
  const wanted = list
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean)
  const unknown = wanted.find((each) => !categories.some((category) => category === each))
  if (unknown !== undefined) throw invalidField('categories', `Expected some of: ${categories.join(', ')}`)
  return wanted
}

const followed =
  'With `updatedSince` only what changed since then, the longest ago first; `include=removed` adds `{id, removedAt}` for what left the list.'

const noItems: ItemList = { items: [], count: 0, isAtLeast: false, nextCursor: null }

/**
 * Answers with a list as a finished Response: cleaning fifty items by their schema again would cost as much as finding
 * them.
 */
function listAnswer(context: RequestContext, list: ItemList | ItemChanges): Response {
  return Response.json(list.items, { headers: pageHeaders(context, list) })
}
