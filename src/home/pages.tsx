import { listUserChallenges } from '#src/challenge/queries'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import type { RequestContext } from '#src/request/context'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { findFreeStoriesLeft } from '#src/story/api'
import type { NeverShown } from '#src/story/schema'
import { listTrending } from '#src/trending/list'
import { type Timeframe, timeframeDefault } from '#src/trending/rules'
import { urls } from '#src/urls'
import { findEvening } from './begun'
import { Home } from './home'
import { noteVisit } from './last-visit'
import { listNewItems } from './new-items'
import { StoryGenerator } from './story-generator'
import { VisitorHome } from './visitor-home'

const trendingMax = 6

/** The page /home, and the teaser of its future contents. */
export function homePages(services: Services) {
  const { db, env } = services
  const trendingOf = (timeframe: Timeframe, neverShown: NeverShown | null = null) =>
    listTrending(db, { timeframe, type: 'all', order: 'trending', limit: trendingMax, neverShown })

  async function memberHome(context: RequestContext, id: string, name: string | null) {
    const { neverShown } = context.caller
    const [evening, challenges, news, trending] = await Promise.all([
      findEvening(db, id, neverShown),
      listUserChallenges(db, id),
      listNewItems(db, noteVisit(context, new Date()), neverShown),
      trendingOf(timeframeDefault, neverShown),
    ])
    return <Home {...{ name, evening, challenges, news, trending }} />
  }

  async function visitorHome(freeStoriesLeft: number | null) {
    const [lately, newest, freeStoryLimit] = await Promise.all([
      trendingOf(timeframeDefault),
      listNewItems(db, null),
      findFreeStoryLimit(services),
    ])
    const popular = lately.length > 0 ? lately : await trendingOf('all')
    return <VisitorHome newest={newest.items} {...{ popular, freeStoriesLeft, freeStoryLimit }} />
  }

  return router()
    .get(
      '/home',
      async ({ context, caller: { member } }) => {
        return renderPage(context, {
          section: 'home',
          meta: {
            title: member ? 'Your evening' : 'Popular tonight',
            description: `What is listened to and read on ${env.siteName} tonight.`,
            canonicalUrl: env.publicUrl + urls.home(),
          },
          body: member
            ? await memberHome(context, member.id, member.firstName)
            : await visitorHome(await findFreeStoriesLeft(context)),
        })
      },
      { detail: { hide: true } },
    )
    .get(
      '/story-generator',
      async ({ context }) =>
        renderPage(context, {
          section: 'create-stories',
          meta: {
            title: 'Story Generator',
            description: 'Coming Soon: a story made from a few words of yours.',
            canonicalUrl: env.publicUrl + urls.storyGenerator(),
          },
          body: <StoryGenerator />,
        }),
      { detail: { hide: true } },
    )
}
