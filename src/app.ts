import { type AnyElysia, Elysia } from 'elysia'
import { analyticsApi } from '#src/analytics/api'
import { analyticsConsole } from '#src/analytics/console'
import { betaApi } from '#src/beta/api'
import { betaPages } from '#src/beta/pages'
import { challengeApi } from '#src/challenge/api'
import { challengeConsole } from '#src/challenge/console'
import { challengePages } from '#src/challenge/pages'
import { creationApi } from '#src/creation/api'
import { creationPages } from '#src/creation/pages'
import { exampleApi } from '#src/example/api'
import { feedApi } from '#src/feed/api'
import { feedPages } from '#src/feed/pages'
import { flagApi } from '#src/flag/api'
import { flagConsole } from '#src/flag/console'
import { guidelineApi } from '#src/guideline/api'
import { guidelineConsole } from '#src/guideline/console'
import { homePages } from '#src/home/pages'
import { agePages } from '#src/http/age'
import { apiDocs } from '#src/http/api-docs'
import { contextOf } from '#src/http/context'
import { healthRoutes } from '#src/http/health'
import { type App, answerError, createPipeline } from '#src/http/pipeline'
import { routes } from '#src/http/routes'
import { importApi } from '#src/import/api'
import { importDraftApi } from '#src/import/draft/api'
import { jobApi } from '#src/job/api'
import { jobConsole } from '#src/job/console'
import { listeningApi } from '#src/listening/api'
import { accountApi } from '#src/member/account-api'
import { accountForms } from '#src/member/account-forms'
import { memberApi } from '#src/member/api'
import { changeEmailPages } from '#src/member/change-email-pages'
import { memberConsole } from '#src/member/console'
import { memberOperatorApi } from '#src/member/operator-api'
import { memberPages } from '#src/member/pages'
import { pinPages } from '#src/member/pin-pages'
import { preferenceForms } from '#src/member/preference-forms'
import { recoveryApi } from '#src/member/recovery-api'
import { recoveryPages } from '#src/member/recovery-pages'
import { settingsPages } from '#src/member/settings-pages'
import { modelApi } from '#src/model/api'
import { modelConsole } from '#src/model/console'
import { moderationApi } from '#src/moderation/api'
import { moderationConsole } from '#src/moderation/console'
import { moderationPages } from '#src/moderation/pages'
import { narrationApi } from '#src/narration/api'
import { voiceLab } from '#src/narration/console'
import { voiceApi } from '#src/narration/voice-api'
import { offlineApi } from '#src/offline/api'
import { offlinePages } from '#src/offline/pages'
import { operatorApi } from '#src/operator/api'
import { auditApi } from '#src/operator/audit-api'
import { auditConsole } from '#src/operator/audit-console'
import { operatorConsole } from '#src/operator/console'
import type { Parts } from '#src/parts'
import { passkeyApi } from '#src/passkey/api'
import { pushApi } from '#src/push/api'
import { scriptApi } from '#src/script/api'
import { studioConsole } from '#src/script/console'
import { shelfApi } from '#src/shelf/api'
import { shelfPages } from '#src/shelf/pages'
import { sitePages } from '#src/site/pages'
import { socialApi } from '#src/social/api'
import { storyApi } from '#src/story/api'
import { libraryConsole } from '#src/story/console'
import { operatorStoryApi } from '#src/story/operator-api'
import { storyPages } from '#src/story/pages'
import { trendingApi } from '#src/trending/api'
import { trendingPages } from '#src/trending/pages'
import { voteApi } from '#src/vote/api'
import { commentsApi } from '#src/vote/comments-api'
import { voteConsole } from '#src/vote/console'
import { votePages } from '#src/vote/pages'

export type { App }

/**
 * Puts the program together: every noun is mounted here, and every request passes the steps of
 * src/http/pipeline.ts. Tests call it with a `Request`.
 */
export function createApp(parts: Parts): App {
  // Elysia's own way of dropping unknown fields copies whatever has a length as a list: {"length": 4e9} kept it
  // busy for a minute (measured).
  const router: AnyElysia = new Elysia({ aot: true, normalize: 'typebox' })
    .onError(({ error, request }) => answerError(parts, error, request, contextOf(request)))
    .use(storyApi(parts))
    .use(operatorStoryApi(parts))
    .use(narrationApi(parts))
    .use(scriptApi(parts))
    .use(studioConsole(parts))
    .use(voiceApi(parts))
    .use(voiceLab(parts))
    .use(jobApi(parts))
    .use(jobConsole(parts))
    .use(challengeConsole(parts))
    .use(memberApi(parts))
    .use(recoveryApi(parts))
    .use(socialApi(parts))
    .use(passkeyApi(parts))
    .use(offlineApi(parts))
    .use(pushApi(parts))
    .use(memberOperatorApi(parts))
    .use(accountApi(parts))
    .use(shelfApi(parts))
    .use(creationApi(parts))
    .use(listeningApi(parts))
    .use(analyticsApi(parts))
    .use(betaApi(parts))
    .use(operatorApi(parts))
    .use(auditApi(parts))
    .use(auditConsole(parts))
    .use(operatorConsole(parts))
    .use(libraryConsole(parts))
    .use(analyticsConsole(parts))
    .use(importApi(parts))
    .use(trendingApi(parts))
    .use(voteApi(parts))
    .use(votePages(parts))
    .use(commentsApi(parts))
    .use(voteConsole(parts))
    .use(flagApi(parts))
    .use(flagConsole(parts))
    .use(importDraftApi(parts))
    .use(guidelineApi(parts))
    .use(guidelineConsole(parts))
    .use(moderationApi(parts))
    .use(moderationPages(parts))
    .use(moderationConsole(parts))
    .use(modelApi(parts))
    .use(modelConsole(parts))
    .use(exampleApi(parts))
    .use(feedApi(parts))
    .use(feedPages(parts))
    .use(challengeApi(parts))
    .use(storyPages(parts))
    .use(trendingPages(parts))
    .use(homePages(parts))
    .use(memberPages(parts))
    .use(pinPages(parts))
    .use(recoveryPages(parts))
    .use(changeEmailPages(parts))
    .use(memberConsole(parts))
    .use(settingsPages(parts))
    .use(accountForms(parts))
    .use(preferenceForms(parts))
    .use(betaPages(parts))
    .use(shelfPages(parts))
    .use(challengePages(parts))
    .use(creationPages(parts))
    .use(sitePages(parts))
    .use(offlinePages(parts))
    .use(agePages(parts))
    .use(healthRoutes(parts))
    .use(apiDocs(parts, () => router))
  checkMounted(router.routes)
  return createPipeline(parts, router)
}

/** The table of routes and what is mounted are the same, or the program does not start. */
function checkMounted(mounted: readonly { method: string; path: string }[]): void {
  const names = new Set(mounted.map(({ method, path }) => `${method} ${path}`))
  const missing = Object.keys(routes).filter((name) => !names.has(name))
  const unlisted = [...names].filter((name) => !(name in routes))
  if (missing.length + unlisted.length > 0) {
    throw new Error(
      `src/http/routes.ts and the mounted routes differ. Not mounted: ${missing.join(', ') || 'none'}. Not in the table: ${unlisted.join(', ') || 'none'}.`,
    )
  }
}
