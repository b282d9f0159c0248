/** Numbers and words of notifications. Browser-safe: no imports. */

/** More browsers than one person uses; the oldest is removed. */
export const devicesMax = 10
/** Push services use some hundred characters; browsers accept longer links, too. */
export const endpointCharactersMax = 2_048

/** The topics of notifications, known only to the member's own browser. */
const pushTopics = ['narration', 'sharing', 'challenge', 'trial'] as const
export type PushTopic = (typeof pushTopics)[number]

const hourSeconds = 3_600
/** TTL of a message for a browser that is offline: a weekend, but the same day for a message about today. */
export const timeToLiveSeconds: Record<PushTopic, number> = {
  narration: 72 * hourSeconds,
  sharing: 72 * hourSeconds,
  challenge: 3 * hourSeconds,
  trial: 60,
}
/** RFC 8030 §5.3: `normal` does not wake a phone that saves its battery. */
export const pushUrgency: Record<PushTopic, 'normal' | 'high'> = {
  narration: 'normal',
  sharing: 'normal',
  challenge: 'normal',
  trial: 'high',
}

/** The visible words of every notification: they reveal nothing to others at the screen. */
export const newsWords = 'Something new is waiting for you.'
export const trialWords = 'This is how it looks.'

/** The maximum number of attempts: with ten minutes between the later ones, two days. */
export const pushAttemptsMax = 300
/** Sent messages are retained for as long as looking into a complaint takes. */
export const sentRetentionHours = 24

/** Nothing is sent in these hours of the device's own clock. */
const quietHours = { from: 22, until: 8 } as const

export function isQuietHour(hour: number): boolean {
  return hour >= quietHours.from || hour < quietHours.until
}

/** Seconds until the quiet hours of a time zone are over; 0 outside of them. */
export function quietSecondsLeft(timeZone: string, now: Date): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(now)
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number)
  if (!isQuietHour(hour)) return 0
  const hours = (quietHours.until - hour + 24) % 24
  return hours * hourSeconds - minute * 60 - second
}
