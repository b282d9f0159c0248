import * as t from 'typebox'
import { listUserChallenges } from '#src/challenge/queries'
import { wholeNumber } from '#src/http/query'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import type { NeverShown } from '#src/story/never-shown'
import { itemTypes, searchCharactersMax } from '#src/story/rules'
import { oneOf } from '#src/story/schema'
import { MyContent, VisitorContent } from './my-content'
import { listRecentFlows, listShelf, type ShelfFilter, shelfSorts } from './user-content'

const pagesMax = 1_000

export function shelfPages(parts: Parts) {
  return router().get(
    '/my-content',
    async ({ request, context, query, caller: { member } }) => {
      const { type, sort, ...more } = query
      // A form sends what was not chosen as an empty value.
      const filter: ShelfFilter = { ...more, type: type || undefined, sort: sort || undefined }
      return renderPage(parts, request, await viewerOf(parts, context), {
        section: 'my-content',
        meta: { title: 'My Content', isIndexed: false },
        body: member ? (
          await content(parts, member.id, filter, context.caller.neverShown)
        ) : (
          <VisitorContent />
        ),
      })
    },
    {
      query: t.Object({
        q: t.Optional(t.String({ maxLength: searchCharactersMax })),
        type: t.Optional(oneOf(['', ...itemTypes] as const)),
        sort: t.Optional(oneOf(['', ...shelfSorts] as const)),
        page: t.Optional(wholeNumber('page', 1, pagesMax)),
      }),
      detail: { hide: true },
    },
  )
}

async function content({ db }: Parts, memberId: string, filter: ShelfFilter, neverShown: NeverShown | null) {
  const [shelf, challenges, recent] = await Promise.all([
    listShelf(db, memberId, filter, neverShown),
    listUserChallenges(db, memberId),
    listRecentFlows(db, memberId, neverShown),
  ])
  return <MyContent shelf={shelf} filter={filter} challenges={challenges} recent={recent} />
}
