import { startAnalytics } from '#islands/analytics/gate'
import { startBetaAccess } from '#islands/beta-access'
import { startDrawer } from '#islands/drawer'
import { startLazyIslands } from '#islands/lazy-islands'
import { startLeaving } from '#islands/leave-quickly'
import { startLocalTimes } from '#islands/local-times'
import { startOffline } from '#islands/offline/register'
import { startBroughtIslands, startIslands, wakeWhatIsPressed } from '#islands/page-islands'
import { startSoftNavigation } from '#islands/soft-navigation'
import { startTheme } from '#islands/theme'
import { startWelcome } from '#islands/welcome'

// Leaving comes first: whoever is in a hurry should not wait for the rest.
startLeaving()
startTheme()
startWelcome()
startDrawer()
startBetaAccess()
startLazyIslands()
startSoftNavigation()
startAnalytics()
startLocalTimes()
wakeWhatIsPressed()
startBroughtIslands()
startIslands(document)
startOffline()
