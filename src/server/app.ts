import { type AnyElysia, Elysia } from 'elysia'
import { agePages } from '#src/age/pages'
import { analyticsApi } from '#src/analytics/api'
import { analyticsConsole } from '#src/analytics/console'
import { insightApi } from '#src/analytics/insight-api'
import { auditApi } from '#src/audit/api'
import { auditConsole } from '#src/audit/console'
import { betaApi } from '#src/beta/api'
import { betaPages } from '#src/beta/pages'
import { challengeApi } from '#src/challenge/api'
import { challengeConsole } from '#src/challenge/console'
import { challengePages } from '#src/challenge/pages'
import { demoApi } from '#src/demo/api'
import { exampleApi } from '#src/example/api'
import { favoriteApi } from '#src/favorite/api'
import { flagApi } from '#src/feature-flag/api'
import { flagConsole } from '#src/feature-flag/console'
import { feedApi } from '#src/feed/api'
import { feedPages } from '#src/feed/pages'
import { guidelineApi } from '#src/guideline/api'
import { guidelineConsole } from '#src/guideline/console'
import { homePages } from '#src/home/pages'
import { importApi } from '#src/import/api'
import { importDraftApi } from '#src/import/draft/api'
import { jobApi } from '#src/job/api'
import { jobConsole } from '#src/job/console'
import { operatorStoryApi } from '#src/library/api'
import { changeManyApi } from '#src/library/change-many-api'
import { libraryConsole } from '#src/library/console'
import { listeningApi } from '#src/listening/api'
import { memberConsole } from '#src/member/console/console'
import { memberOperatorApi } from '#src/member/console/operator-api'
import { changeEmailPages } from '#src/member/email/change-email-pages'
import { pinApi } from '#src/member/pin/api'
import { pinPages } from '#src/member/pin/pin-pages'
import { recoveryApi } from '#src/member/recovery/recovery-api'
import { recoveryPages } from '#src/member/recovery/recovery-pages'
import { accountApi } from '#src/member/settings/account-api'
import { accountForms } from '#src/member/settings/account-forms'
import { preferenceForms } from '#src/member/settings/preference-forms'
import { settingsPages } from '#src/member/settings/settings-pages'
import { modelApi } from '#src/model/api'
import { modelConsole } from '#src/model/console'
import { moderationApi } from '#src/moderation/api'
import { moderationConsole } from '#src/moderation/console'
import { moderationPages } from '#src/moderation/pages'
import { myContentApi } from '#src/my-content/api'
import { myContentPages } from '#src/my-content/pages'
import { narrationApi } from '#src/narration/api'
import { voiceLab } from '#src/narration/console'
import { playbackApi } from '#src/narration/playback/api'
import { studioConsole } from '#src/narration/studio-console'
import { voiceApi } from '#src/narration/voice-api'
import { offlineApi } from '#src/offline/api'
import { offlinePages } from '#src/offline/pages'
import { operatorApi } from '#src/operator/api'
import { operatorConsole } from '#src/operator/console'
import { passkeyApi } from '#src/passkey/api'
import { picturePages } from '#src/picture/pages'
import { pushApi } from '#src/push/api'
import { contextOf } from '#src/request/context'
import { reviewApi } from '#src/review/api'
import { scriptApi } from '#src/script/api'
import { selectionApi } from '#src/selection/api'
import { answerError } from '#src/server/answer-error'
import { apiDocs } from '#src/server/api-docs'
import { healthRoutes } from '#src/server/health'
import { lowerIds, namesOfIds } from '#src/server/lower-ids'
import { mount } from '#src/server/mount'
import { type App, createPipeline } from '#src/server/pipeline'
import { routes } from '#src/server/routes'
import type { Services } from '#src/services'
import { setupApi } from '#src/setup/api'
import { setupConsole } from '#src/setup/console'
import { memberApi } from '#src/sign-in/api'
import { memberPages } from '#src/sign-in/pages'
import { sitePages } from '#src/site/pages'
import { socialApi } from '#src/social/api'
import { unsentFormPages } from '#src/social/unsent-form-pages'
import { storyApi } from '#src/story/api'
import { itemPages } from '#src/story/item-pages'
import { storyPages } from '#src/story/pages'
import { trendingApi } from '#src/trending/api'
import { trendingPages } from '#src/trending/pages'
import { userStoryApi } from '#src/user-story/api'
import { userStoryPages } from '#src/user-story/pages'
import { voteApi } from '#src/vote/api'
import { commentsApi } from '#src/vote/comments-api'
import { voteConsole } from '#src/vote/console'
import { votePages } from '#src/vote/pages'

export type { App }

/**
 * Creates the app: mounts every noun, and passes every request through the steps of src/server/pipeline.ts. Tests call
 * the app with a `Request`.
 */
export function createApp(services: Services): App {
  return createPipeline(services, createRouter(services))
}

/** Creates the router of every noun's endpoints, without the pipeline. The API document is generated from it. */
export function createRouter(services: Services): AnyElysia {
  // Elysia's default way of dropping unknown fields treats any object with a length as a list: {"length": 4e9} kept it
  // busy for a minute (measured).
  const router: AnyElysia = new Elysia({ aot: true, normalize: 'typebox' })
    .onError(({ error, request }) => answerError(contextOf(request), error))
    .onTransform((call) => {
      const { body } = contextOf(call.request)
      lowerIds(call.params)
      lowerIds(body, namesOfIds)
      if (body !== undefined) call.body = body
    })
  for (const noun of listNouns(services)) mount(router, noun)
  router.use(apiDocs(services, () => router))
  checkMounted(router.routes)
  return router
}

/** Every noun's endpoints. */
function listNouns(services: Services): AnyElysia[] {
  return [
    storyApi(services),
    operatorStoryApi(services),
    changeManyApi(services),
    playbackApi(services),
    narrationApi(services),
    scriptApi(services),
    studioConsole(services),
    voiceApi(services),
    voiceLab(),
    jobApi(services),
    jobConsole(services),
    challengeConsole(services),
    memberApi(services),
    pinApi(),
    recoveryApi(services),
    socialApi(services),
    unsentFormPages(),
    passkeyApi(services),
    offlineApi(services),
    pushApi(services),
    memberOperatorApi(services),
    accountApi(services),
    myContentApi(services),
    favoriteApi(services),
    userStoryApi(services),
    listeningApi(services),
    analyticsApi(services),
    insightApi(services),
    betaApi(services),
    operatorApi(services),
    auditApi(services),
    auditConsole(services),
    operatorConsole(services),
    setupConsole(services),
    libraryConsole(services),
    analyticsConsole(services),
    importApi(services),
    trendingApi(services),
    voteApi(services),
    votePages(services),
    commentsApi(services),
    selectionApi(services),
    voteConsole(services),
    flagApi(services),
    flagConsole(services),
    importDraftApi(services),
    guidelineApi(services),
    reviewApi(services),
    guidelineConsole(services),
    moderationApi(services),
    moderationPages(services),
    moderationConsole(services),
    modelApi(services),
    modelConsole(services),
    demoApi(services),
    setupApi(services),
    exampleApi(services),
    feedApi(services),
    feedPages(services),
    challengeApi(services),
    storyPages(services),
    itemPages(),
    trendingPages(services),
    homePages(services),
    memberPages(services),
    pinPages(services),
    recoveryPages(services),
    changeEmailPages(services),
    memberConsole(services),
    settingsPages(),
    accountForms(services),
    preferenceForms(services),
    betaPages(services),
    myContentPages(services),
    challengePages(services),
    userStoryPages(services),
    sitePages(services),
    picturePages(services),
    offlinePages(services),
    agePages(services),
    healthRoutes(services),
  ]
}

/** Throws if the table of routes and the mounted routes differ. The program then does not start. */
function checkMounted(mounted: readonly { method: string; path: string }[]): void {
  const names = new Set(mounted.map(({ method, path }) => `${method} ${path}`))
  const missing = Object.keys(routes).filter((name) => !names.has(name))
  const unlisted = [...names].filter((name) => !(name in routes))
  if (missing.length + unlisted.length > 0) {
    throw new Error(
      `src/server/routes.ts and the mounted routes differ. Not mounted: ${missing.join(', ') || 'none'}. Not in the table: ${unlisted.join(', ') || 'none'}.`,
    )
  }
}
