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
/** A line needs a point. */
const behavior: Behavior = {
  dailyActiveUsers: [{ date: '1970-01-01', count: 0 }],
  sessionDurations: [],
  topEvents: [],
}
const realtime: Realtime = { currentActiveUsers: 0, activeContent: [], recentEvents: [] }

/** What the dashboard is drawn of until its figures are read: console.css hides the zeros. */
export function noFigures(tab: string) {
  return {
    summary,
    behavior: tab === 'behavior' ? behavior : null,
    content: null,
    realtime: tab === 'realtime' ? realtime : null,
    reports: null,
  }
}
