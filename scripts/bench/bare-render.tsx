import { renderToString } from 'react-dom/server'
import { loadAssets } from '#src/http/assets'
import { drawPlayedCards, Explore } from '#src/story/explore'
import type { ItemList } from '#src/story/schema'
import { Document, PageHead } from '#src/ui/document'
import { joinPieces } from '#src/ui/markup'
import { Shell } from '#src/ui/shell'
import type { Viewer } from '#src/ui/viewer'

/**
 * The ceiling for a member's page: the same tree rendered by a bare renderToString, without a database, session or
 * headers.
 */
const { list, favorites, categories }: { list: ItemList; favorites: string[]; categories: string[] } =
  await Bun.file(process.env.DATA ?? '').json()
const { manifest } = loadAssets(`${import.meta.dir}/../../.build`)
const viewer: Viewer = {
  siteName: 'Nocturne',
  marketingUrl: 'https://example.com',
  theme: null,
  member: { firstName: 'Mara', lastName: null, email: 'mara@example.com' },
  isOperator: false,
  manifest,
}

const marks = { favorites: new Set(favorites), isMember: true }

function page(): string {
  const cards = new TextDecoder().decode(joinPieces(drawPlayedCards(manifest, list.items, marks)))
  return `<!doctype html>${renderToString(
    <Document
      siteName="Nocturne"
      theme={null}
      manifest={manifest}
      frame="shell"
      head={<PageHead siteName="Nocturne" meta={{ title: 'Explore Audios' }} />}
    >
      <Shell viewer={{ ...viewer, isMember: true }} section="explore">
        <Explore
          list={list}
          type="story"
          category={null}
          length={undefined}
          hasOffers={false}
          categories={categories}
          hasHero={false}
          freeStoryLimit={3}
        />
      </Shell>
    </Document>,
  )}`.replace('<nocturne-cards></nocturne-cards>', () => cards)
}

Bun.serve({
  port: Number(process.env.PORT),
  fetch: () => new Response(page(), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
})
