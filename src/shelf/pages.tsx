import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { listItemsByIds } from '#src/story/queries'
import { parseContentKey } from '#src/story/rules'
import { listFavorites } from './favorites'
import { MyContent } from './my-content'

/** As many as one page shows. */
const shownMax = 50

export function shelfPages(parts: Parts) {
  const { db } = parts
  return router().get(
    '/my-content',
    async ({ request, context, caller }) => {
      const keys = caller.member ? await listFavorites(db, caller.member.id) : []
      const ids = keys.slice(0, shownMax).flatMap(({ contentKey }) => parseContentKey(contentKey)?.id ?? [])
      return renderPage(parts, request, await viewerOf(parts, context), {
        section: 'my-content',
        meta: { title: 'My Content', isIndexed: false },
        body: <MyContent items={await listItemsByIds(db, ids)} isMember={caller.member !== null} />,
      })
    },
    { detail: { hide: true } },
  )
}
