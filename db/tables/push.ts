import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '../columns'
import { sessions, users } from './member'

/**
 * Push subscriptions of browsers. Each belongs to the session in which the member is signed in there, and ends with it.
 */
export const pushDevices = pgTable(
  'push_devices',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sid: text('sid')
      .notNull()
      .unique()
      .references(() => sessions.sid, { onDelete: 'cascade' }),
    /** SHA-256 of the endpoint. One browser is one device, whichever member is signed in there. */
    endpointHash: text('endpoint_hash').notNull().unique(),
    /** The endpoint and keys from the browser, encrypted: with them anyone could send notifications to it. */
    sealed: text('sealed').notNull(),
    /** A name such as "Firefox on Linux". */
    device: text('device').notNull(),
    timeZone: text('time_zone').notNull(),
    createdAt: createdAt(),
    /** When the push service last accepted a message. */
    lastSuccessAt: instant('last_success_at'),
  },
  (t) => [index('push_devices_user').on(t.userId)],
)
