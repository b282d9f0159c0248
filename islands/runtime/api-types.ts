import type { Static } from 'typebox'
import type * as analytics from '#src/analytics/schema'
import type * as audit from '#src/audit/schema'
import type * as beta from '#src/beta/schema'
import type * as challenge from '#src/challenge/schema'
import type * as demo from '#src/demo/schema'
import type * as example from '#src/example/schema'
import type * as featureFlag from '#src/feature-flag/schema'
import type * as feed from '#src/feed/schema'
import type * as guideline from '#src/guideline/schema'
import type * as importDraft from '#src/import/draft/schema'
import type * as importPlan from '#src/import/plan-schema'
import type * as importRowsSheet from '#src/import/rows/sheet-schema'
import type * as importUndo from '#src/import/undo-schema'
import type * as job from '#src/job/schema'
import type * as libraryChangeMany from '#src/library/change-many-schema'
import type * as listening from '#src/listening/schema'
import type * as memberConsoleOperator from '#src/member/console/operator-schema'
import type * as memberRecoveryRecovery from '#src/member/recovery/recovery-schema'
import type * as member from '#src/member/schema'
import type * as memberSettingsAccount from '#src/member/settings/account-schema'
import type * as memberSettingsSettings from '#src/member/settings/settings-schema'
import type * as memberSettingsSignInMethods from '#src/member/settings/sign-in-methods-schema'
import type * as model from '#src/model/schema'
import type * as moderation from '#src/moderation/schema'
import type * as offline from '#src/offline/schema'
import type * as operatorSession from '#src/operator/session-schema'
import type * as passkey from '#src/passkey/schema'
import type * as push from '#src/push/schema'
import type * as review from '#src/review/schema'
import type * as selection from '#src/selection/schema'
import type * as setup from '#src/setup/schema'
import type * as storyDraft from '#src/story/draft-schema'
import type * as story from '#src/story/schema'
import type * as trending from '#src/trending/schema'
import type * as userStory from '#src/user-story/schema'
import type * as vote from '#src/vote/schema'

/** The calls of the API. Generated from its document by `bun run api-types`; not edited by hand. */
export type Api = {
  'GET /api/content': {
    query?: {
      source?: 'pre_uploaded' | 'user_generated'
      type?: 'story' | 'flow'
      categories?: string
      q?: string
      length?: 'short' | 'medium' | 'long'
      sort?: 'newest' | 'oldest' | 'duration'
      limit?: number
      cursor?: string
      updatedSince?: string
      include?: 'removed'
    }
    answer: (Static<typeof story.Item> | { id: string; removedAt: string })[]
  }
  'GET /api/content/categories': {
    query?: { source?: 'pre_uploaded' | 'user_generated'; type?: 'story' | 'flow' }
    answer: string[]
  }
  'GET /api/content/trending': {
    query?: {
      timeframe?: '24h' | '7d' | '30d' | 'all'
      type?: 'all' | 'story' | 'flow'
      order?: 'trending' | 'top-rated' | 'most-viewed'
      limit?: number
    }
    answer: Static<typeof trending.TrendingItem>[]
  }
  'GET /api/stats/trending': {
    query?: { timeframe?: '24h' | '7d' | '30d' | 'all' }
    answer: Static<typeof trending.TrendingStats>
  }
  'GET /api/creators/top': {
    query?: { timeframe?: '24h' | '7d' | '30d' | 'all' }
    answer: Static<typeof trending.Creator>[]
  }
  'GET /api/content/:id': { path: { id: string }; answer: Static<typeof story.Item> }
  'GET /api/content/:id/next': {
    path: { id: string }
    query?: Static<typeof listening.NextQuery>
    answer: Static<typeof listening.NextItems>
  }
  'GET /api/premium-audio/:id/:voice': { path: { id: string; voice: string }; answer: Blob }
  'GET /api/premium-audio/:id/:voice/preview': { path: { id: string; voice: string }; answer: Blob }
  'POST /api/premium-audio/:id/:voice/prioritize': {
    path: { id: string; voice: string }
    answer: { state: 'ready' | 'waiting' }
  }
  'GET /api/premium-audio/:id/:voice/timings': {
    path: { id: string; voice: string }
    answer: {
      durationSeconds: number
      provider: string
      narrator: string | null
      timings: {
        source: 'voice' | 'file'
        isOfThisText: boolean
        sentences: number[]
        words: number[]
      } | null
      peaks: number[] | null
    }
  }
  'PUT /api/premium-audio/:id/:voice/timings': {
    path: { id: string; voice: string }
    body: { file: string }
    answer: { sentences: number; words: number; matched: number }
  }
  'GET /api/auth/user': { answer: Static<typeof member.CurrentUser> | null }
  'POST /api/auth/login': { body: Static<typeof member.SignIn>; answer: Static<typeof member.AuthAnswer> }
  'POST /api/auth/register': {
    body: Static<typeof member.Registration>
    answer: Static<typeof member.AuthAnswer>
  }
  'POST /api/auth/logout': { answer: { success: boolean; message: string } }
  'POST /api/auth/unlock': { body: { pin: string }; answer: { success: boolean; message: string } }
  'POST /api/auth/forgot-password': { body: { email: string }; answer: { success: boolean; message: string } }
  'POST /api/auth/reset-password': {
    body: Static<typeof memberRecoveryRecovery.NewPassword>
    answer: Static<typeof member.AuthAnswer>
  }
  'POST /api/auth/verify-email': { body: { token: string }; answer: { success: boolean; message: string } }
  'POST /api/auth/change-email': { body: { token: string }; answer: { success: boolean; message: string } }
  'GET /api/auth/google': { query?: { next?: string; link?: 'true' }; answer: Blob }
  'GET /api/auth/apple': { query?: { next?: string; link?: 'true' }; answer: Blob }
  'GET /api/auth/facebook': { query?: { next?: string; link?: 'true' }; answer: Blob }
  'GET /api/auth/google/callback': { answer: Blob }
  'GET /api/auth/apple/callback': { answer: Blob }
  'POST /api/auth/apple/callback': { answer: Blob }
  'GET /api/auth/facebook/callback': { answer: Blob }
  'POST /api/auth/passkey/options': { answer: { challenge: string } }
  'POST /api/auth/passkey': {
    body: Static<typeof passkey.Assertion>
    answer: Static<typeof member.AuthAnswer>
  }
  'GET /api/user/ways-in': { answer: Static<typeof memberSettingsSignInMethods.SignInMethods> }
  'POST /api/user/passkeys/options': {
    body: { password?: string }
    answer: Static<typeof passkey.NewCredentialOptions>
  }
  'POST /api/user/passkeys': {
    body: Static<typeof passkey.NewPasskey>
    answer: { success: boolean; message: string; id: string; name: string }
  }
  'DELETE /api/user/passkeys/:id': {
    path: { id: string }
    body: { password?: string }
    answer: { success: boolean; message: string }
  }
  'DELETE /api/user/identities/:provider': {
    path: { provider: 'google' | 'apple' | 'facebook' }
    body: { password?: string }
    answer: { success: boolean; message: string }
  }
  'GET /api/content-favorites': { answer: { contentKey: string; createdAt: string }[] }
  'POST /api/content-favorites': { body: { contentKey: string }; answer: { contentKey: string } }
  'DELETE /api/content-favorites/:contentKey': {
    path: { contentKey: string }
    answer: { success: boolean; contentKey: string }
  }
  'GET /api/user/content': {
    query?: { limit?: number; cursor?: string; updatedSince?: string }
    answer: Static<typeof userStory.UserContentItem>[]
  }
  'POST /api/user/content': {
    body: Static<typeof userStory.UserStoryDraft>
    answer: Static<typeof userStory.SavedUserStory>
  }
  'POST /api/user/content/check': {
    body: Static<typeof userStory.TextToCheck>
    answer: { hints: Static<typeof userStory.Hint>[] }
  }
  'GET /api/user/content/:id': { path: { id: string }; answer: Static<typeof userStory.UserContentItem> }
  'PUT /api/user/content/:id': {
    path: { id: string }
    body: Static<typeof userStory.UserStoryEdit>
    answer: Static<typeof userStory.SavedUserStory>
  }
  'DELETE /api/user/content/:id': { path: { id: string }; answer: { success: boolean } }
  'POST /api/user/content/:id/narrate': {
    path: { id: string }
    body: { voice?: string }
    answer: Static<typeof userStory.OwnJob>
  }
  'GET /api/user/content/:id/job': { path: { id: string }; answer: Static<typeof userStory.OwnJob> | null }
  'DELETE /api/user/content/:id/job': { path: { id: string }; answer: { success: boolean } }
  'POST /api/user/content/:id/share': {
    path: { id: string }
    answer: Static<typeof userStory.UserContentItem>
  }
  'DELETE /api/user/content/:id/share': {
    path: { id: string }
    answer: Static<typeof userStory.UserContentItem>
  }
  'GET /api/user/challenges': { answer: Static<typeof challenge.UserChallenge>[] }
  'POST /api/user/challenges': {
    body: { challengeId: string; timeZone: string }
    answer: Static<typeof challenge.UserChallenge>
  }
  'PATCH /api/user/challenges/:id': {
    path: { id: string }
    body: { isPaused?: boolean; timeZone?: string }
    answer: Static<typeof challenge.UserChallenge>
  }
  'DELETE /api/user/challenges/:id': { path: { id: string }; answer: { success: boolean } }
  'PUT /api/user/challenges/:id/days/:day': {
    path: { id: string; day: string }
    answer: Static<typeof challenge.UserChallenge>
  }
  'GET /api/user/limits': { answer: Static<typeof userStory.MemberLimits> }
  'GET /api/user/settings': { answer: Static<typeof memberSettingsSettings.Settings> }
  'PATCH /api/user/settings': {
    body: Static<typeof memberSettingsSettings.SettingsChanges>
    answer: Static<typeof memberSettingsSettings.Settings>
  }
  'PATCH /api/user': {
    body: Static<typeof memberSettingsAccount.ProfileChanges>
    answer: Static<typeof member.CurrentUser>
  }
  'DELETE /api/user': {
    body: Static<typeof memberSettingsAccount.AccountProof>
    answer: { success: boolean; message: string }
  }
  'POST /api/user/password': {
    body: Static<typeof memberSettingsAccount.PasswordChange>
    answer: { success: boolean; message: string }
  }
  'POST /api/user/email': {
    body: Static<typeof memberSettingsAccount.EmailChange>
    answer: { success: boolean; message: string }
  }
  'POST /api/user/verify-email': { answer: { success: boolean; message: string } }
  'GET /api/user/sessions': { answer: Static<typeof memberConsoleOperator.OpenSession>[] }
  'DELETE /api/user/sessions': { answer: { success: boolean; message: string } }
  'DELETE /api/user/history': { answer: { success: boolean; message: string } }
  'GET /api/user/export': { answer: Blob }
  'GET /api/user/feeds': { answer: Static<typeof feed.FeedState> }
  'POST /api/user/feeds': { answer: Static<typeof feed.FeedAddresses> }
  'DELETE /api/user/feeds': { answer: { success: boolean } }
  'POST /api/user/offline': { body: { ids: string[] }; answer: Static<typeof offline.AllowedItems> }
  'GET /api/user/push': { answer: Static<typeof push.PushState> }
  'POST /api/user/push': { body: Static<typeof push.Subscription>; answer: Static<typeof push.PushState> }
  'POST /api/user/push/test': { answer: { success: boolean; message: string } }
  'DELETE /api/user/push/:id': { path: { id: string }; answer: Static<typeof push.PushState> }
  'POST /api/drafts': {
    body: Static<typeof userStory.DraftRequest>
    answer: Static<typeof userStory.DraftAnswer>
  }
  'POST /api/analytics/progress': {
    body: Static<typeof listening.ProgressReport>
    answer: { success: boolean; progress: Static<typeof listening.Progress> }
  }
  'GET /api/analytics/progress/:contentId/:contentType': {
    path: { contentId: string; contentType: 'story' | 'flow' }
    answer: Static<typeof listening.ProgressWithPlaces> | null
  }
  'POST /api/analytics/session': {
    body: {
      consent?: boolean
      timestamp?: string | number
      sessionId?: string
      lastSeen?: string | number
      locale?: string | null
      referrer?: string | null
      utm?: Record<string, string>
    }
    answer: { sessionId: string | null; userId: string | null }
  }
  'POST /api/analytics/events': {
    body: { sessionId?: string | null; events: unknown[] }
    answer: {
      accepted: number
      duplicates: number
      dropped: {
        dnt?: number
        gpc?: number
        consent?: number
        operator?: number
        bot?: number
        invalid?: number
        too_old?: number
        rate_limited?: number
      }
    }
  }
  'GET /api/analytics/summary': {
    query?: {
      days?: number
      category?:
        | 'all'
        | 'man and woman'
        | 'lesbian'
        | 'gay'
        | 'romantic'
        | 'bdsm'
        | 'one night stand'
        | 'roleplay'
    }
    answer: Static<typeof analytics.Summary>
  }
  'GET /api/analytics/behavior': {
    query?: {
      days?: number
      category?:
        | 'all'
        | 'man and woman'
        | 'lesbian'
        | 'gay'
        | 'romantic'
        | 'bdsm'
        | 'one night stand'
        | 'roleplay'
    }
    answer: Static<typeof analytics.Behavior>
  }
  'GET /api/analytics/realtime': { answer: Static<typeof analytics.Realtime> }
  'GET /api/analytics/content': {
    query?: {
      days?: number
      category?:
        | 'all'
        | 'man and woman'
        | 'lesbian'
        | 'gay'
        | 'romantic'
        | 'bdsm'
        | 'one night stand'
        | 'roleplay'
    }
    answer: Static<typeof analytics.ContentAnalytics>[]
  }
  'GET /api/analytics/content-trends': {
    query?: {
      days?: number
      category?:
        | 'all'
        | 'man and woman'
        | 'lesbian'
        | 'gay'
        | 'romantic'
        | 'bdsm'
        | 'one night stand'
        | 'roleplay'
    }
    answer: Static<typeof analytics.ContentTrends>
  }
  'GET /api/analytics/searches': {
    query?: { days?: number }
    answer: { query: string; searches: number; withoutResult: number }[]
  }
  'GET /api/analytics/retention/:contentId': {
    path: { contentId: string }
    query?: { days?: number }
    answer: {
      contentId: string
      contentTitle: string
      views: number
      bounceRate: number
      curve: { percent: number; second: number; count: number }[]
      startPages: { page: string; starts: number }[]
    }
  }
  'GET /api/analytics/conversion': {
    answer: { days: number; freeStoryLimit: number; atLimit: number; joined: number; joinedAtLimit: number }
  }
  'GET /api/analytics/export': {
    query?: { figure?: 'searches' | 'retention' | 'starts' | 'conversion'; days?: number; item?: string }
    answer: Blob
  }
  'POST /api/beta-signup': {
    body: Static<typeof beta.BetaSignUp>
    answer: { success: boolean; message: string }
  }
  'GET /api/admin/status': { answer: { isAdmin: boolean } }
  'POST /api/admin/login': {
    body: { token: string; name?: string }
    answer: { success: boolean; message: string }
  }
  'POST /api/admin/logout': { answer: { success: boolean; message: string } }
  'GET /api/admin/sessions': { answer: Static<typeof operatorSession.OperatorSession>[] }
  'DELETE /api/admin/sessions': { answer: { success: boolean; ended: number } }
  'DELETE /api/admin/sessions/:id': { path: { id: string }; answer: { success: boolean } }
  'GET /api/admin/beta-signups': {
    answer: { signups: { id: string; email: string; source: string; createdAt: string }[]; count: number }
  }
  'GET /api/audit': {
    query?: {
      actor?: string
      action?:
        | 'item.publish'
        | 'item.add'
        | 'item.edit'
        | 'item.remove'
        | 'item.restore'
        | 'item.approve'
        | 'item.refuse'
        | 'item.narrate'
        | 'item.upload_audio'
        | 'item.restore_audio'
        | 'item.upload_timings'
        | 'item.edit_script'
        | 'item.open_members_story'
        | 'items.publish'
        | 'items.unpublish'
        | 'items.remove'
        | 'items.restore'
        | 'items.undo'
        | 'reports.review'
        | 'reports.approve'
        | 'reports.remove'
        | 'reports.undo'
        | 'members.suspend'
        | 'members.lift'
        | 'members.undo'
        | 'comments.remove'
        | 'comments.undo'
        | 'jobs.retry'
        | 'jobs.cancel'
        | 'jobs.undo'
        | 'import.import'
        | 'import.undo'
        | 'import.empty_bin'
        | 'challenge.create'
        | 'challenge.edit'
        | 'challenge.remove'
        | 'report.review'
        | 'report.approve'
        | 'report.remove'
        | 'report.reopen'
        | 'guideline.add'
        | 'guideline.edit'
        | 'guideline.activate'
        | 'guideline.deactivate'
        | 'guideline.remove'
        | 'guideline.hold'
        | 'guideline.release'
        | 'feedback.remove'
        | 'feedback.restore'
        | 'member.suspend'
        | 'member.lift suspension'
        | 'member.sign out'
        | 'member.export'
        | 'member.delete'
        | 'example.add'
        | 'example.approve'
        | 'example.edit'
        | 'example.remove'
        | 'job.cancel'
        | 'job.retry'
        | 'voice.test_audio'
        | 'mail.test'
        | 'model.configure'
        | 'feature flag.set'
        | 'feature flag.reset'
        | 'operator.login'
        | 'operator session.end'
        | 'operator token.rotate'
        | 'secrets.accept'
        | 'library.backup'
        | 'library.restore'
        | 'demo.remove'
        | 'demo.restore'
        | 'analytics.rebuild'
        | 'analytics.prune'
      item?: string
      from?: string
      to?: string
      limit?: number
      cursor?: string
    }
    answer: Static<typeof audit.AuditChange>[]
  }
  'GET /api/audit/export': {
    query?: {
      actor?: string
      action?:
        | 'item.publish'
        | 'item.add'
        | 'item.edit'
        | 'item.remove'
        | 'item.restore'
        | 'item.approve'
        | 'item.refuse'
        | 'item.narrate'
        | 'item.upload_audio'
        | 'item.restore_audio'
        | 'item.upload_timings'
        | 'item.edit_script'
        | 'item.open_members_story'
        | 'items.publish'
        | 'items.unpublish'
        | 'items.remove'
        | 'items.restore'
        | 'items.undo'
        | 'reports.review'
        | 'reports.approve'
        | 'reports.remove'
        | 'reports.undo'
        | 'members.suspend'
        | 'members.lift'
        | 'members.undo'
        | 'comments.remove'
        | 'comments.undo'
        | 'jobs.retry'
        | 'jobs.cancel'
        | 'jobs.undo'
        | 'import.import'
        | 'import.undo'
        | 'import.empty_bin'
        | 'challenge.create'
        | 'challenge.edit'
        | 'challenge.remove'
        | 'report.review'
        | 'report.approve'
        | 'report.remove'
        | 'report.reopen'
        | 'guideline.add'
        | 'guideline.edit'
        | 'guideline.activate'
        | 'guideline.deactivate'
        | 'guideline.remove'
        | 'guideline.hold'
        | 'guideline.release'
        | 'feedback.remove'
        | 'feedback.restore'
        | 'member.suspend'
        | 'member.lift suspension'
        | 'member.sign out'
        | 'member.export'
        | 'member.delete'
        | 'example.add'
        | 'example.approve'
        | 'example.edit'
        | 'example.remove'
        | 'job.cancel'
        | 'job.retry'
        | 'voice.test_audio'
        | 'mail.test'
        | 'model.configure'
        | 'feature flag.set'
        | 'feature flag.reset'
        | 'operator.login'
        | 'operator session.end'
        | 'operator token.rotate'
        | 'secrets.accept'
        | 'library.backup'
        | 'library.restore'
        | 'demo.remove'
        | 'demo.restore'
        | 'analytics.rebuild'
        | 'analytics.prune'
      item?: string
      from?: string
      to?: string
    }
    answer: Blob
  }
  'GET /api/audit/:id/items': {
    path: { id: string }
    query?: { limit?: number; cursor?: number }
    answer: Static<typeof audit.AuditItem>[]
  }
  'GET /api/setup': { answer: Static<typeof setup.SetupState> }
  'POST /api/setup/mail': { body: { email: string }; answer: { success: boolean } }
  'GET /api/demo': { answer: Static<typeof demo.DemoState> }
  'DELETE /api/demo': { answer: Static<typeof demo.DemoState> }
  'POST /api/demo/restore': { answer: Static<typeof demo.DemoState> }
  'GET /api/members': {
    query?: {
      q?: string
      state?: 'active' | 'suspended'
      limit?: number
      cursor?: string
      updatedSince?: string
    }
    answer: Static<typeof memberConsoleOperator.ListedMember>[]
  }
  'GET /api/members/:id': { path: { id: string }; answer: Static<typeof memberConsoleOperator.MemberDetail> }
  'DELETE /api/members/:id': { path: { id: string }; body: { email: string }; answer: { success: boolean } }
  'POST /api/members/:id/suspension': {
    path: { id: string }
    body: { reason: string }
    answer: { success: boolean }
  }
  'DELETE /api/members/:id/suspension': { path: { id: string }; answer: { success: boolean } }
  'DELETE /api/members/:id/sessions': { path: { id: string }; answer: { success: boolean } }
  'GET /api/members/:id/export': { path: { id: string }; answer: Blob }
  'GET /api/feature-flags': {
    query?: { updatedSince?: string }
    answer: Static<typeof featureFlag.ListedFlag>[]
  }
  'PATCH /api/feature-flags': {
    body: Static<typeof featureFlag.FlagChanges>
    answer: Static<typeof featureFlag.ListedFlag>[]
  }
  'GET /api/stories': {
    query?: { limit?: number; cursor?: string; updatedSince?: string; include?: 'removed' }
    answer: (Static<typeof story.Item> | { id: string; removedAt: string })[]
  }
  'POST /api/stories': {
    body: Static<typeof storyDraft.StoryDraft>
    answer: Static<typeof storyDraft.PremiumItem>
  }
  'POST /api/stories/bulk': {
    query?: { dryRun?: 'true' | 'false' }
    body: { stories: Static<typeof storyDraft.BulkStory>[] }
    answer: {
      count: number
      stories: { id: string; title: string }[]
      warnings: string[]
      rows?: Static<typeof importPlan.PlanRow>[]
    }
  }
  'GET /api/stories/:id/script': {
    path: { id: string }
    answer: {
      text: string
      script: string
      madeBy: 'author' | 'operator' | 'model' | 'built-in'
      isKept: boolean
      updatedAt: string | null
    }
  }
  'PUT /api/stories/:id/script': {
    path: { id: string }
    body: { script: string }
    answer: {
      text: string
      script: string
      madeBy: 'author' | 'operator' | 'model' | 'built-in'
      isKept: boolean
      updatedAt: string | null
    }
  }
  'POST /api/stories/:id/enhance': { path: { id: string }; answer: { jobId: string } }
  'POST /api/stories/:id/narrate': {
    path: { id: string }
    body: { voice?: string }
    answer: { jobId: string }
  }
  'POST /api/stories/:id/narrate/estimate': {
    path: { id: string }
    body: { voice?: string }
    answer: {
      provider: 'elevenlabs' | 'openai' | 'built-in'
      narrator:
        | 'rachel'
        | 'bella'
        | 'elli'
        | 'serena'
        | 'antoni'
        | 'josh'
        | 'adam'
        | 'domi'
        | 'alloy'
        | 'nova'
      characters: number
      costUsd: number
      durationSeconds: number
      price: string
      sentences: number
      unspoken: string[]
    }
  }
  'POST /api/test-audio': { body: { text?: string; voice?: string }; answer: Blob }
  'POST /api/test-audio/estimate': {
    body: { text: string; voices: string[] }
    answer: {
      voices: {
        voice: string
        provider: 'elevenlabs' | 'openai' | 'built-in'
        narrator:
          | 'rachel'
          | 'bella'
          | 'elli'
          | 'serena'
          | 'antoni'
          | 'josh'
          | 'adam'
          | 'domi'
          | 'alloy'
          | 'nova'
        characters: number
        costUsd: number
        durationSeconds: number
      }[]
    }
  }
  'GET /api/jobs': {
    query?: {
      state?: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
      kind?:
        | 'narrate'
        | 'enhance'
        | 'import'
        | 'mail'
        | 'password-reset'
        | 'push'
        | 'guideline_scan'
        | 'sweep'
      storyId?: string
      limit?: number
      cursor?: string
    }
    answer: Static<typeof job.Job>[]
  }
  'GET /api/jobs/events': { answer: Blob }
  'GET /api/jobs/:id': { path: { id: string }; answer: Static<typeof job.Job> }
  'POST /api/jobs/:id/retry': {
    path: { id: string }
    answer: { success: boolean; state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' }
  }
  'POST /api/jobs/:id/cancel': {
    path: { id: string }
    answer: { success: boolean; state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' }
  }
  'GET /api/premium-content': {
    query?: {
      q?: string
      type?: 'story' | 'flow'
      category?: 'man and woman' | 'lesbian' | 'gay' | 'romantic' | 'bdsm' | 'one night stand' | 'roleplay'
      status?: 'draft' | 'scheduled' | 'published' | 'held' | 'removed'
      limit?: number
      cursor?: string
      updatedSince?: string
      include?: 'removed'
    }
    answer: {
      content: Static<typeof storyDraft.PremiumItem>[]
      removed?: { id: string; removedAt: string }[]
    }
  }
  'POST /api/premium-content': {
    body: Static<typeof storyDraft.PremiumDraft>
    answer: Static<typeof storyDraft.PremiumItem>
  }
  'PATCH /api/premium-content': {
    query?: { dryRun?: 'true' | 'false' }
    body: Static<typeof libraryChangeMany.ManyItems>
    answer: Static<typeof libraryChangeMany.ManyOutcome>
  }
  'GET /api/premium-content-stats': {
    answer: { totalStories: number; totalFlows: number; totalAudioFiles: number; totalSize: string }
  }
  'POST /api/premium-content/bulk': {
    body: { items: Record<string, unknown>[] }
    answer: {
      success: Static<typeof storyDraft.PremiumItem>[]
      failures: { index: number; title: string; error: string }[]
      warnings: string[]
    }
  }
  'POST /api/premium-content/changes/:id/undo': {
    path: { id: string }
    answer: Static<typeof libraryChangeMany.ManyOutcome>
  }
  'GET /api/premium-content/:id': { path: { id: string }; answer: Static<typeof storyDraft.PremiumItem> }
  'PUT /api/premium-content/:id': {
    path: { id: string }
    body: Static<typeof storyDraft.PremiumEdit>
    answer: Static<typeof storyDraft.PremiumItem>
  }
  'DELETE /api/premium-content/:id': { path: { id: string }; answer: { success: boolean } }
  'POST /api/premium-content/:id/restore': {
    path: { id: string }
    answer: Static<typeof storyDraft.PremiumItem>
  }
  'POST /api/premium-content/:id/upload-audio': {
    path: { id: string }
    answer: { filename: string; audioUrl: string; warnings: string[] }
  }
  'GET /api/premium-content/:id/narrations': {
    path: { id: string }
    answer: {
      id: string
      voice: 'female' | 'male'
      narrator: string | null
      provider: string
      fileName: string | null
      isCurrent: boolean
      sizeBytes: number
      durationSeconds: number
      createdAt: string
    }[]
  }
  'GET /api/premium-content/:id/narrations/:narrationId/audio': {
    path: { id: string; narrationId: string }
    answer: Blob
  }
  'POST /api/premium-content/:id/narrations/:narrationId/restore': {
    path: { id: string; narrationId: string }
    answer: { success: boolean; voice: 'female' | 'male'; audioUrl: string }
  }
  'POST /api/premium-content/excel-import': {
    query?: {
      dryRun?: 'true' | 'false'
      strict?: 'true' | 'false'
      narrate?: 'true' | 'false'
      choices?: string
    }
    answer: {
      message: string
      imported: number
      updated: number
      skipped: number
      matchedAudio: number
      unmatchedAudio: string[]
      problems: { row: number; sheet?: string; field: string; column?: string; message: string }[]
      batchId: string | null
      warnings: string[]
      sheets: {
        name: string
        isHidden: boolean
        rowCount: number
        hiddenRows: number
        columns: Static<typeof importRowsSheet.FoundColumn>[]
        notes: string[]
        isChosen: boolean
      }[]
      notes: string[]
      rows: {
        row: number
        sheet?: string
        title: string
        verdict: string
        changes: string[]
        audio: { voice: string; fileName: string }[]
        isHeld: boolean
      }[]
    }
  }
  'GET /api/content-guidelines': {
    query?: { updatedSince?: string; include?: 'removed' }
    answer: (Static<typeof guideline.ListedGuideline> | { id: string; removedAt: string })[]
  }
  'POST /api/content-guidelines': {
    query?: { confirm?: 'true' | 'false' }
    body: Static<typeof guideline.GuidelineDraft>
    answer: Static<typeof guideline.ListedGuideline>
  }
  'PATCH /api/content-guidelines/:id': {
    path: { id: string }
    query?: { confirm?: 'true' | 'false' }
    body: Static<typeof guideline.GuidelineChange>
    answer: Static<typeof guideline.ListedGuideline>
  }
  'DELETE /api/content-guidelines/:id': { path: { id: string }; answer: { success: boolean } }
  'POST /api/content-guidelines/test': {
    body: Static<typeof guideline.TryText>
    answer: Static<typeof guideline.Tried>
  }
  'POST /api/content-guidelines/preview': {
    body: Static<typeof guideline.PreviewRequest>
    answer: Static<typeof guideline.GuidelinePreview>
  }
  'GET /api/model-config': { answer: Static<typeof model.ModelConfig> }
  'POST /api/model-config': {
    body: Static<typeof model.ModelDraft>
    answer: Static<typeof model.ModelConfig>
  }
  'POST /api/model-config/test': {
    body: Static<typeof model.ModelDraft>
    answer: Static<typeof model.ModelTested>
  }
  'GET /api/training-examples': {
    query?: { updatedSince?: string; include?: 'removed' }
    answer: (Static<typeof example.Example> | { id: string; removedAt: string })[]
  }
  'POST /api/training-examples': {
    body: Static<typeof example.ExampleDraft>
    answer: Static<typeof example.Example>
  }
  'PATCH /api/training-examples/:id': {
    path: { id: string }
    body: Static<typeof example.ExampleReview>
    answer: Static<typeof example.Example>
  }
  'DELETE /api/training-examples/:id': { path: { id: string }; answer: { success: boolean } }
  'GET /api/held-content': {
    query?: { limit?: number; cursor?: string; ruleId?: string; updatedSince?: string }
    answer: Static<typeof review.HeldItem>[]
  }
  'PATCH /api/held-content': {
    body: Static<typeof review.BulkReview>
    answer: Static<typeof review.BulkReviewed>
  }
  'GET /api/held-content/rules': { answer: Static<typeof review.HoldGroup>[] }
  'PATCH /api/held-content/:id': {
    path: { id: string }
    body: Static<typeof review.Review>
    answer: { id: string; status: string }
  }
  'POST /api/stories/:id/vote': {
    path: { id: string }
    body: { voteType: 'up' | 'down' | 'none' }
    answer: Static<typeof vote.VoteSums>
  }
  'POST /api/stories/:id/feedback': {
    path: { id: string }
    body: Static<typeof vote.Feedback>
    answer: Static<typeof vote.FeedbackSums>
  }
  'GET /api/stories/:id/feedback': {
    path: { id: string }
    query?: { limit?: number }
    answer: Static<typeof vote.ListedFeedback>[]
  }
  'POST /api/changes': {
    query?: { dryRun?: 'true' | 'false' }
    body: Static<typeof selection.ManyRows>
    answer: Static<typeof selection.RowsOutcome>
  }
  'POST /api/changes/:id/undo': { path: { id: string }; answer: Static<typeof selection.RowsOutcome> }
  'GET /api/feedback': {
    query?: { item?: string; limit?: number; cursor?: string }
    answer: Static<typeof vote.Comment>[]
  }
  'DELETE /api/feedback/:id': { path: { id: string }; answer: { success: boolean } }
  'POST /api/stories/:id/flags': {
    path: { id: string }
    body: Static<typeof moderation.Report>
    answer: {
      id: string
      flagType:
        | 'not_as_described'
        | 'wrong_category'
        | 'audio_fault'
        | 'inappropriate'
        | 'no_consent'
        | 'real_person'
        | 'minor'
        | 'illegal'
        | 'copyright'
        | 'spam'
        | 'other'
      flagReason: string
      createdAt: string
      message: string
    }
  }
  'GET /api/content-flags': {
    query?: { state?: 'pending' | 'decided' | 'all'; limit?: number; cursor?: string }
    answer: Static<typeof moderation.ContentFlag>[]
  }
  'PATCH /api/content-flags/:id': {
    path: { id: string }
    body: Static<typeof moderation.Decision>
    answer: Static<typeof moderation.ContentFlag>
  }
  'GET /api/challenges': {
    query?: { updatedSince?: string; include?: 'removed' }
    answer: (Static<typeof challenge.Challenge> | { id: string; removedAt: string })[]
  }
  'POST /api/challenges': {
    body: Static<typeof challenge.ChallengeDraft>
    answer: Static<typeof challenge.Challenge>
  }
  'GET /api/challenges/:id': { path: { id: string }; answer: Static<typeof challenge.Challenge> }
  'PUT /api/challenges/:id': {
    path: { id: string }
    body: Static<typeof challenge.ChallengeDraft>
    answer: Static<typeof challenge.Challenge>
  }
  'DELETE /api/challenges/:id': { path: { id: string }; answer: { success: boolean } }
  'GET /api/admin/challenges': {
    query?: { updatedSince?: string; include?: 'removed' }
    answer: (Static<typeof challenge.OperatorChallenge> | { id: string; removedAt: string })[]
  }
  'GET /api/imports': {
    query?: { limit?: number; cursor?: string }
    answer: {
      id: string
      kind: string
      fileName: string | null
      by: string
      state: string
      imported: number
      updated: number
      skipped: number
      matchedAudio: number
      createdAt: string
      undoneAt: string | null
    }[]
  }
  'POST /api/imports/:id/undo': {
    path: { id: string }
    query?: { dryRun?: 'true' | 'false'; edited?: 'keep' | 'remove'; plan?: string }
    answer: Static<typeof importUndo.UndoAnswer>
  }
  'GET /api/import-drafts': {
    query?: { updatedSince?: string }
    answer: Static<typeof importDraft.DraftSummary>[]
  }
  'POST /api/import-drafts': {
    body: { files: Static<typeof importDraft.AnnouncedFile>[] }
    answer: Static<typeof importDraft.ImportDraft>
  }
  'GET /api/import-drafts/:id': { path: { id: string }; answer: Static<typeof importDraft.ImportDraft> }
  'DELETE /api/import-drafts/:id': { path: { id: string }; answer: { success: boolean } }
  'POST /api/import-drafts/:id/sheet': {
    path: { id: string }
    answer: Static<typeof importDraft.ImportDraft>
  }
  'PUT /api/import-drafts/:id/sheet': {
    path: { id: string }
    body: Static<typeof importRowsSheet.SheetChoices>
    answer: Static<typeof importDraft.ImportDraft>
  }
  'PUT /api/import-drafts/:id/files': {
    path: { id: string }
    body: { files: Static<typeof importDraft.AnnouncedFile>[] }
    answer: Static<typeof importDraft.ImportDraft>
  }
  'POST /api/import-drafts/:id/files': { path: { id: string }; answer: Static<typeof importDraft.DraftFile> }
  'DELETE /api/import-drafts/:id/files/:fileId': {
    path: { id: string; fileId: string }
    answer: { success: boolean }
  }
  'GET /api/import-drafts/:id/plan': { path: { id: string }; answer: Static<typeof importDraft.DraftPlan> }
  'POST /api/import-drafts/:id/apply': {
    path: { id: string }
    body: Static<typeof importDraft.ApplyOptions>
    answer: { jobId: string }
  }
  'GET /api/import-drafts/:id/failed-rows': { path: { id: string }; answer: Blob }
  'GET /api/openapi.json': { answer: Blob }
}
