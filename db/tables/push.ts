import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../columns'
import { sessions, users } from './member'

/**
 * Browsers that take notifications. Each hangs on the session that it is signed in with: what ends the session,
 * here or elsewhere, ends this too.
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
    /** SHA-256 of the endpoint: one browser is one device, whoever is signed in there. */
    endpointHash: text('endpoint_hash').notNull().unique(),
    /** Endpoint and keys as the browser gave them, sealed: who has them reaches its screen. */
    sealed: text('sealed').notNull(),
    /** Such as "Firefox on Linux". */
    device: text('device').notNull(),
    timeZone: text('time_zone').notNull(),
    createdAt: createdAt(),
    /** When its push service last took a message. */
    lastSuccessAt: moment('last_success_at'),
  },
  (t) => [index('push_devices_user').on(t.userId)],
)
