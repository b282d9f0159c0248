/** Numbers and words of notifications. Browser-safe: no imports. */

/** More browsers than one person has open at a time; the oldest makes room. */
export const devicesMax = 10
/** Push services use some hundred characters; browsers take longer ones as links, too. */
export const endpointCharactersMax = 2_048

/** What a notification may be about. Nobody but the member's own browser is told which. */
export const pushTopics = ['narration', 'sharing', 'challenge', 'trial'] as const
export type PushTopic = (typeof pushTopics)[number]

const hourSeconds = 3_600
/** How long a push service keeps a message for a browser that is away: a weekend, but what is for today, today. */
export const keptSeconds: Record<PushTopic, number> = {
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

/** All that a screen ever shows: who else looks at it learns nothing. */
export const newsWords = 'Something new is waiting for you.'
export const trialWords = 'This is how it looks.'

/** With ten minutes between the later tries, two days. */
export const pushAttemptsMax = 300
/** What was sent is kept no longer than it takes to look into a complaint. */
export const sentKeptHours = 24

/** Nothing is sent in these hours of the device's own clock. */
export const quietHours = { from: 22, until: 8 } as const

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
