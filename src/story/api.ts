import * as t from 'typebox'
import { findFreeStoryLimit } from '#src/flag/flags'
import type { RequestContext } from '#src/http/context'
import { wholeNumber } from '#src/http/query'
import { about, router } from '#src/http/router'
import { giveVisitorId, isCrawler } from '#src/http/visitor'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { urls, withQuery } from '#src/urls'
import { type ItemList, type ListFilter, listCategories, listItems } from './queries'
import { type Reader, readItem } from './read'
import { categories, isId, itemTypes, listLimitMax, searchCharactersMax, sorts, sources } from './rules'
import { Item, oneOf } from './schema'

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
  sort: t.Optional(oneOf(sorts)),
  limit: t.Optional(wholeNumber('limit', 1, listLimitMax)),
  cursor: t.Optional(t.String({ maxLength: 200 })),
})

/** What everyone may ask of the library. */
export function storyApi(parts: Parts) {
  const { db, env } = parts
  return router()
    .get(
      '/api/content',
      async ({ query, caller }) => {
        if (query.source === 'user_generated') return listAnswer(noItems, env.publicUrl, query)
        const list = await listItems(
          db,
          { ...toFilter(query), neverShown: caller.neverShown },
          caller.member || caller.operator ? 'whole' : 'preview',
        )
        return listAnswer(list, env.publicUrl, query)
      },
      {
        query: ListQuery,
        response: t.Array(Item),
        ...about('content', 'List the published stories and flows'),
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
      async ({ params, request, context }) => {
        if (!isId(params.id)) throw missing()
        const reading = await readItem(
          db,
          { id: params.id },
          readerOf(parts, request, context),
          await findFreeStoryLimit(parts),
        )
        if (!reading) throw missing()
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
      async ({ query, caller: { neverShown } }) => {
        const { limit, cursor } = query
        const list = await listItems(db, { limit, cursor, neverShown }, 'preview')
        return listAnswer(list, env.publicUrl, query, '/api/stories')
      },
      {
        query: t.Pick(ListQuery, ['limit', 'cursor']),
        response: t.Array(Item),
        ...about('content', 'List the published items, newest first'),
      },
    )
}

/** Who opens an item, as the meter sees it. */
export function readerOf(parts: Parts, request: Request, context: RequestContext): Reader {
  const { member, operator, visitorId, addressHash } = context.caller
  if (member || operator) return { kind: 'member', memberId: member?.id ?? null }
  if (isCrawler(request)) return { kind: 'crawler' }
  return { kind: 'visitor', isNew: visitorId === null, visitorId: giveVisitorId(parts, context), addressHash }
}

function toFilter(query: t.Static<typeof ListQuery>): ListFilter {
  const { categories: list, type, q, sort, limit, cursor } = query
  return { type, q, sort, limit, cursor, categories: list === undefined ? undefined : readCategories(list) }
}

function readCategories(list: string): string[] {
  const asked = list
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean)
  const unknown = asked.find((each) => !categories.some((category) => category === each))
  if (unknown !== undefined) {
    const message = `Expected some of: ${categories.join(', ')}`
    throw new Refusal('invalid', `categories: ${message}`, { fields: [{ path: 'categories', message }] })
  }
  return asked
}

const noItems: ItemList = { items: [], count: 0, isAtLeast: false, nextCursor: null }

/** A finished answer: cleaning fifty items by their schema once more costs as much as finding them. */
function listAnswer(
  list: ItemList,
  publicUrl: string,
  query: Record<string, string | number | undefined>,
  path = urls.apiContent(),
): Response {
  const headers: Record<string, string> = { 'x-total-count': String(list.count) }
  if (list.isAtLeast) headers['x-total-count-relation'] = 'gte'
  if (list.nextCursor)
    headers.link = `<${publicUrl}${withQuery(path, { ...query, cursor: list.nextCursor })}>; rel="next"`
  return Response.json(list.items, { headers })
}

function missing(): Refusal {
  return new Refusal('not_found', 'There is no such item. It may have been removed.')
}
