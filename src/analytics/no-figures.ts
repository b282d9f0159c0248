import type { Behavior, Realtime, Summary } from './schema'

const summary: Summary = {
  totalUsers: 0,
  activeUsers: 0,
  sessionsPerUser: 0,
  totalContentViews: 0,
  totalAudioPlays: 0,
  totalStoriesRead: 0,
  avgSessionDuration: 0,
  avgCompletionRate: 0,
  totalSessions: 0,
  totalEvents: 0,
}
/** The chart needs at least one point. */
const behavior: Behavior = {
  dailyActiveUsers: [{ date: '1970-01-01', count: 0 }],
  sessionDurations: [],
  topEvents: [],
}
const realtime: Realtime = { currentActiveUsers: 0, activeContent: [], recentEvents: [] }

/** The dashboard's figures until the real ones are read. console.css hides the zeros. */
export function noFigures(tab: string) {
  return {
    summary,
    behavior: tab === 'behavior' ? behavior : null,
    content: null,
    realtime: tab === 'realtime' ? realtime : null,
    reports: null,
  }
}
