import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { MyContent } from './my-content'
import { listUserContent } from './user-content'

export function shelfPages(parts: Parts) {
  const { db } = parts
  return router().get(
    '/my-content',
    async ({ request, context, caller }) => {
      const items = caller.member ? (await listUserContent(db, caller.member.id)).items : []
      return renderPage(parts, request, await viewerOf(parts, context), {
        section: 'my-content',
        meta: { title: 'My Content', isIndexed: false },
        body: <MyContent items={items} isMember={caller.member !== null} />,
      })
    },
    { detail: { hide: true } },
  )
}
