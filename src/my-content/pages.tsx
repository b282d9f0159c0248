import * as t from 'typebox'
import { listUserChallenges } from '#src/challenge/queries'
import { wholeNumber } from '#src/http/query'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { itemTypes, lengths, searchCharactersMax } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { drawMyContent, VisitorContent } from './my-content'
import { listUserContentPage, type MyContentFilter, userContentSorts } from './page-queries'
import { listRecentFlows } from './queries'

const pagesMax = 1_000

/** The page /my-content: a member's own items, favourites and challenge flows. */
export function myContentPages(services: Services) {
  return router().get(
    '/my-content',
    async ({ context, query, caller: { member } }) => {
      const { type, length, sort, ...more } = query
      // A form sends an empty value for an unset filter.
      const filter: MyContentFilter = {
        ...more,
        type: type || undefined,
        length: length || undefined,
        sort: sort || undefined,
      }
      return renderPage(context, {
        section: 'my-content',
        meta: { title: 'My Content', isIndexed: false },
        body: member ? (
          await content(services, member.id, filter, context.caller.neverShown)
        ) : (
          <VisitorContent />
        ),
      })
    },
    {
      query: t.Object({
        q: t.Optional(t.String({ maxLength: searchCharactersMax })),
        type: t.Optional(oneOf(['', ...itemTypes] as const)),
        length: t.Optional(oneOf(['', ...lengths] as const)),
        sort: t.Optional(oneOf(['', ...userContentSorts] as const)),
        page: t.Optional(wholeNumber('page', 1, pagesMax)),
      }),
      detail: { hide: true },
    },
  )
}

async function content(
  services: Services,
  memberId: string,
  filter: MyContentFilter,
  neverShown: NeverShown | null,
) {
  const { db } = services
  const saved = await listUserContentPage(db, memberId, filter, neverShown)
  const [challenges, recent] = saved.hasChallenges
    ? await Promise.all([listUserChallenges(db, memberId), listRecentFlows(db, memberId, neverShown)])
    : [[], []]
  return drawMyContent(services, { saved, filter, challenges, recent })
}
