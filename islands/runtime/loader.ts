import { startAnalytics } from '#islands/analytics/gate'
import { startViewedCards } from '#islands/listening/viewed-cards'
import { startPasskeys } from '#islands/member/start-passkeys'
import { startChoices } from '#islands/navigation/apply-choices'
import { startDrawer } from '#islands/navigation/drawer'
import { startSoftNavigation } from '#islands/navigation/soft-navigation'
import { startOffline } from '#islands/offline/register'
import { startStorage } from '#islands/runtime/browser-storage'
import { startLazyIslands } from '#islands/runtime/lazy-islands'
import {
  hydrateWaiting,
  loadPressedIslands,
  startBroughtIslands,
  startIslands,
} from '#islands/runtime/page-islands'
import { storeTabMessages } from '#islands/runtime/tab-messages'
import { startBetaAccess } from '#islands/site/beta-access'
import { startLeaving } from '#islands/site/leave-quickly'
import { startLocalTimes } from '#islands/site/local-times'
import { startTheme } from '#islands/site/theme'
import { startWelcome } from '#islands/site/welcome'

// First, because the leave button must work before everything else.
startLeaving()
// Before anything that reads storage: it verifies that the data in storage belongs to this page's member.
startStorage()
startTheme()
startWelcome()
startDrawer()
startBetaAccess()
startPasskeys()
startLazyIslands()
startSoftNavigation()
startAnalytics()
startLocalTimes()
loadPressedIslands()
startBroughtIslands()
startIslands(document)
storeTabMessages(hydrateWaiting)
startViewedCards()
startChoices()
startOffline()
