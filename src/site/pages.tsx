import { renderToStaticMarkup } from 'react-dom/server'
import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import type { RequestContext } from '#src/request/context'
import { isDiscreet } from '#src/request/discreet-cookie'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { listItems } from '#src/story/list-items'
import { meterDays } from '#src/story/meter-rules'
import { titleCharactersMax } from '#src/story/rules'
import { readSitemap, readSitemapFile } from '#src/story/sitemap'
import { coverSeed, readCoverSeed } from '#src/text/cover-seed'
import { drawCover } from '#src/ui/cover/art'
import { discreetTitle } from '#src/ui/discreet'
import { SideLinks } from '#src/ui/side-links'
import { urls } from '#src/urls'
import { Landing } from './landing'
import { listSections } from './list-sections'
import type { OwnPage } from './own-texts'
import { replaceWords } from './replace-words'
import { securityTxt, securityTxtPath } from './security-txt'
import { contactWords, helpWords, privacyWords, termsWords, type WordsPage } from './words'

/** Pages that belong to no other area: the sign-up page, covers as images, and files for search engines. */
export function sitePages(services: Services) {
  const { env, db } = services
  const words = async (context: RequestContext) => ({
    siteName: isDiscreet(context) ? discreetTitle : env.siteName,
    contactEmail: env.contactEmail,
    freeStoryLimit: await findFreeStoryLimit(services),
    meterDays,
  })
  const wordsPage = async (context: RequestContext, page: WordsPage) =>
    renderPage(context, {
      meta: { title: page.title, description: page.description },
      body: <Words {...page} />,
    })
  /** Renders the built-in text, or that of the operator's own file. */
  const ownPage = async (context: RequestContext, name: OwnPage, builtIn: WordsPage) =>
    wordsPage(context, await replaceWords(services, name, builtIn))
  const hidden = { detail: { hide: true } }
  return (
    router()
      .get(
        '/landing',
        async ({ query, context }) => {
          const [viewer, newest] = await Promise.all([
            context.viewer(),
            listItems(db, { limit: newestCount, neverShown: context.caller.neverShown }, 'none'),
          ])
          return renderPage(context, {
            frame: 'bare',
            meta: {
              title: 'Sign Up Free',
              description: `Narrated stories, written stories and guided flows for adults, on ${env.siteName}.`,
              canonicalUrl: env.publicUrl + urls.landing(),
            },
            body: (
              <Landing
                siteName={viewer.siteName}
                form={{ mode: 'register', next: safePath(query.next) }}
                providers={viewer.providers}
                newest={newest.items}
              />
            ),
          })
        },
        { query: t.Object({ next: t.Optional(t.String({ maxLength: 2_000 })) }), ...hidden },
      )
      .get(
        '/privacy',
        async ({ context }) => ownPage(context, 'privacy', privacyWords(await words(context))),
        hidden,
      )
      .get(
        '/terms',
        async ({ context }) => ownPage(context, 'terms', termsWords(await words(context))),
        hidden,
      )
      .get('/help', async ({ context }) => ownPage(context, 'help', helpWords(await words(context))), hidden)
      .get('/contact', async ({ context }) => wordsPage(context, contactWords(await words(context))), hidden)
      .get(
        '/cover/:seed',
        ({ params }) => {
          const seed = readCoverSeed(params.seed)
          if (seed === null) throw new AppError('not_found', 'There is no such cover.')
          return coverPicture(seed)
        },
        {
          params: t.Object({ seed: t.String({ maxLength: 10 }) }),
          query: t.Object({ v: t.Optional(t.String({ maxLength: 20 })) }),
          detail: { hide: true },
        },
      )
      // An earlier address of covers, which feeds and previews elsewhere still use.
      .get('/cover', ({ query }) => coverPicture(coverSeed(query.title)), {
        query: t.Object({
          title: t.String({ maxLength: titleCharactersMax * 2 }),
          v: t.Optional(t.String({ maxLength: 20 })),
        }),
        detail: { hide: true },
      })
      .get(
        securityTxtPath,
        () => {
          const text = securityTxt(env, new Date())
          if (text === null) throw new AppError('not_found', 'There is no address to report to yet.')
          return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
        },
        hidden,
      )
      .get(
        '/.well-known/change-password',
        () => redirect(`${urls.settings({ open: 'password' })}#privacy`),
        hidden,
      )
      .get(
        '/robots.txt',
        () =>
          new Response(robots(env.publicUrl), { headers: { 'content-type': 'text/plain; charset=utf-8' } }),
        { detail: { hide: true } },
      )
      .get('/sitemap.xml', async () => new Response(await readSitemap({ db, publicUrl: env.publicUrl })), {
        detail: { hide: true },
      })
      .get(
        '/sitemap/:file',
        async ({ params }) => {
          const [, number = ''] = /^([1-9]\d{0,5})\.xml$/.exec(params.file) ?? []
          const file = await readSitemapFile({ db, publicUrl: env.publicUrl }, Number(number))
          if (!file) throw new AppError('not_found', 'There is no such sitemap.')
          return new Response(file)
        },
        { params: t.Object({ file: t.String({ maxLength: 20 }) }), ...hidden },
      )
  )
}

/** A text, beside a table of contents if it has sections. */
function Words({ title, body }: WordsPage) {
  const sections = listSections(renderToStaticMarkup(body))
  const text = (
    <article className="words-text">
      <h1 className="title-lg">{title}</h1>
      {body}
    </article>
  )
  if (sections.length < 2) return text
  return (
    <div className="page-words">
      <SideLinks sections={sections} />
      {text}
    </div>
  )
}

/** The number of items on the sign-up page. */
const newestCount = 7

/** Responds with a cover as an image. It depends only on its seed, so it may be cached for ever. */
function coverPicture(seed: number): Response {
  return new Response(drawCover(seed), {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=31536000, immutable' },
  })
}

function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /sign-in\nDisallow: /leave\nAllow: /\nSitemap: ${publicUrl}/sitemap.xml\n`
}
