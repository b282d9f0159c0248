import { sql } from 'drizzle-orm'
import * as t from 'typebox'
import { stories } from '#db/schema'
import { findFreeStoryLimit } from '#src/flag/flags'
import type { RequestContext } from '#src/http/context'
import { renderPage, viewerOf } from '#src/http/render'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { meterDays } from '#src/story/meter-rules'
import { listItems } from '#src/story/queries'
import { titleCharactersMax } from '#src/story/rules'
import { drawCover } from '#src/ui/cover/art'
import { urls } from '#src/urls'
import { Landing } from './landing'
import type { OwnPage } from './own-words'
import { replaceWords } from './replace-words'
import { contactWords, helpWords, privacyWords, termsWords, type WordsPage } from './words'

/** What belongs to no noun: the sign-up page, covers as pictures, and what search engines read. */
export function sitePages(parts: Parts) {
  const { env, db } = parts
  const words = async () => ({
    siteName: env.siteName,
    contactEmail: env.contactEmail,
    freeStoryLimit: await findFreeStoryLimit(parts),
    meterDays,
  })
  const wordsPage = async (request: Request, context: RequestContext, page: WordsPage) =>
    renderPage(parts, request, await viewerOf(parts, context), {
      meta: { title: page.title, description: page.description },
      body: (
        <article className="words-text">
          <h1 className="title-lg">{page.title}</h1>
          {page.body}
        </article>
      ),
    })
  /** The built-in words, or those of the operator's own file. */
  const ownPage = async (request: Request, context: RequestContext, name: OwnPage, builtIn: WordsPage) =>
    wordsPage(request, context, await replaceWords(parts, name, builtIn))
  const hidden = { detail: { hide: true } }
  return router()
    .get(
      '/landing',
      async ({ request, context }) => {
        const [viewer, shelf] = await Promise.all([
          viewerOf(parts, context),
          listItems(db, { limit: shelfCount, neverShown: context.caller.neverShown }, 'none'),
        ])
        return renderPage(parts, request, viewer, {
          frame: 'bare',
          meta: {
            title: 'Sign Up Free',
            description: `Narrated stories, written stories and guided flows for adults, on ${env.siteName}.`,
            canonicalUrl: env.publicUrl + urls.landing(),
          },
          body: (
            <Landing
              siteName={viewer.siteName}
              form={{ mode: 'register' }}
              providers={viewer.providers}
              shelf={shelf.items}
            />
          ),
        })
      },
      { detail: { hide: true } },
    )
    .get(
      '/privacy',
      async ({ request, context }) => ownPage(request, context, 'privacy', privacyWords(await words())),
      hidden,
    )
    .get(
      '/terms',
      async ({ request, context }) => ownPage(request, context, 'terms', termsWords(await words())),
      hidden,
    )
    .get(
      '/help',
      async ({ request, context }) => ownPage(request, context, 'help', helpWords(await words())),
      hidden,
    )
    .get(
      '/contact',
      async ({ request, context }) => wordsPage(request, context, contactWords(await words())),
      hidden,
    )
    .get(
      '/cover',
      ({ query }) =>
        new Response(coverPicture(query.title), {
          headers: {
            'content-type': 'image/svg+xml',
            'cache-control': 'public, max-age=31536000, immutable',
          },
        }),
      {
        query: t.Object({
          title: t.String({ maxLength: titleCharactersMax * 2 }),
          v: t.Optional(t.String({ maxLength: 20 })),
        }),
        detail: { hide: true },
      },
    )
    .get(
      '/robots.txt',
      () => new Response(robots(env.publicUrl), { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
      { detail: { hide: true } },
    )
    .get(
      '/sitemap.xml',
      async () => {
        const items = await db
          .select({ type: stories.type, slug: stories.slug, updatedAt: stories.updatedAt })
          .from(stories)
          .where(sql`status = 'published' and source = 'pre_uploaded'`)
          .orderBy(sql`published_at desc, id desc`)
          .limit(sitemapMax)
        const pages = [urls.explore(), urls.stories(), urls.trending(), urls.home(), urls.landing()].map(
          (path) => `<url><loc>${env.publicUrl}${path}</loc></url>`,
        )
        const rows = items.map(
          (item) =>
            `<url><loc>${env.publicUrl}${urls.item(item)}</loc><lastmod>${item.updatedAt.toISOString()}</lastmod></url>`,
        )
        return new Response(
          `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...pages, ...rows].join('\n')}\n</urlset>\n`,
          {
            headers: { 'content-type': 'application/xml; charset=utf-8' },
          },
        )
      },
      { detail: { hide: true } },
    )
}

/** What lies on the sign-up page's shelf. */
const shelfCount = 7

/** The protocol allows 50,000 addresses in one file. */
const sitemapMax = 49_000

/** A cover on its own, for `<img>`, the lock screen and Open Graph: made from the title alone, so it may be kept for ever. */
function coverPicture(title: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="480" height="480">${drawCover(title)}</svg>`
}

function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /sign-in\nDisallow: /leave\nAllow: /\nSitemap: ${publicUrl}/sitemap.xml\n`
}
