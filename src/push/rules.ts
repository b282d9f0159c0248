/** Limits and words of notifications. Browser-safe: no imports. */

/** More browsers than one person uses; beyond this the oldest is removed. */
export const devicesMax = 10
/** Push services use a few hundred characters; browsers accept longer ones too. */
export const endpointCharactersMax = 2_048

/** The topics of notifications, which only the member's own browser can read. */
const pushTopics = ['narration', 'sharing', 'challenge', 'trial'] as const
export type PushTopic = (typeof pushTopics)[number]

const hourSeconds = 3_600
/** The TTL of a message for an offline browser: a weekend, or the same day for a message about today. */
export const timeToLiveSeconds: Record<PushTopic, number> = {
  narration: 72 * hourSeconds,
  sharing: 72 * hourSeconds,
  challenge: 3 * hourSeconds,
  trial: 60,
}
/** Urgency by RFC 8030 §5.3: `normal` does not wake a phone that saves its battery. */
export const pushUrgency: Record<PushTopic, 'normal' | 'high'> = {
  narration: 'normal',
  sharing: 'normal',
  challenge: 'normal',
  trial: 'high',
}

/** The visible words of every notification, which reveal nothing to others who see the screen. */
export const newsWords = 'Something new is waiting for you.'
export const trialWords = 'This is how it looks.'

/** The maximum number of attempts. With ten minutes between the later ones they take two days. */
export const pushAttemptsMax = 300
/** How long sent messages are retained: the time it takes to look into a complaint. */
export const sentRetentionHours = 24

/** Hours of the device's own clock in which nothing is sent. */
const quietHours = { from: 22, until: 8 } as const

export function isQuietHour(hour: number): boolean {
  return hour >= quietHours.from || hour < quietHours.until
}

/** Seconds until the quiet hours in a time zone end; 0 outside of them. */
export function quietSecondsLeft(timeZone: string, now: Date): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(now)
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number)
  if (!isQuietHour(hour)) return 0
  const hours = (quietHours.until - hour + 24) % 24
  return hours * hourSeconds - minute * 60 - second
}
