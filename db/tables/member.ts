import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { settingDefaults } from '#src/member/rules'
import { createdAt, id, instant, tsvector, updatedAt } from '../columns'

/** Members. `password` is an argon2id hash, or null if the member signs in only through a provider. */
export const users = pgTable(
  'users',
  {
    id: id(),
    username: text('username').unique(),
    password: text('password'),
    /** An argon2id hash too; null if no PIN is set. */
    pinHash: text('pin_hash'),
    email: text('email').unique(),
    /** When the member proved that mail to `email` reaches them. */
    emailVerifiedAt: instant('email_verified_at'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    profileImageUrl: text('profile_image_url'),
    oauthProvider: text('oauth_provider'),
    oauthSub: text('oauth_sub'),
    authId: text('auth_id').unique(),
    suspendedAt: instant('suspended_at'),
    /** The operator's reason, which is shown to the member. */
    suspensionReason: text('suspension_reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt('users'),
    search: tsvector('search').generatedAlwaysAs(
      sql`nocturne_member_document(email, first_name, last_name, username)`,
    ),
  },
  (t) => [
    index('users_search').using('gin', t.search),
    index('users_suspended').on(t.id).where(sql`suspended_at is not null`),
    uniqueIndex('users_oauth').on(t.oauthProvider, t.oauthSub).where(sql`${t.oauthSub} is not null`),
    index('users_created').on(t.createdAt, t.id),
    index('users_updated').on(t.updatedAt, t.id),
  ],
)

/** The data of a session. Its kind is a column, which decides which routes the session opens. */
export type SessionData = {
  userId?: string
  /** The name that the operator gave at login. It is written into the audit log. */
  operatorName?: string
  /**
   * Fingerprint of the operator token that opened the session (src/operator/token.ts). The session ends with the token.
   */
  tokenFingerprint?: string
  startedAt: string
  userAgent: string
  addressHash: string
}

/**
 * Sessions of members and operators. `sid` is the SHA-256 of the cookie's value, so that a stolen dump opens no
 * session.
 */
export const sessions = pgTable(
  'sessions',
  {
    sid: text('sid').primaryKey(),
    sess: jsonb('sess').$type<SessionData>().notNull(),
    expire: instant('expire').notNull(),
    kind: text('kind', { enum: ['member', 'operator'] }).notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
  },
  (t) => [index('sessions_expire').on(t.expire), index('sessions_user').on(t.userId)],
)

/** Every sign-in of a member and login of an operator, with its method. */
export const loginEvents = pgTable(
  'login_events',
  {
    id: id(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    timestamp: instant('timestamp').notNull().defaultNow(),
    method: text('method').notNull(),
    sessionId: text('session_id'),
    ipHash: text('ip_hash'),
  },
  (t) => [index('login_events_user').on(t.userId, t.timestamp)],
)

/** A member's choices in Settings. A member without a row has the defaults. */
export const userSettings = pgTable('user_settings', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  emailNotifications: boolean('email_notifications').notNull().default(settingDefaults.emailNotifications),
  pushNotifications: boolean('push_notifications').notNull().default(settingDefaults.pushNotifications),
  autoPlayNext: boolean('auto_play_next').notNull().default(settingDefaults.autoPlayNext),
  playbackSpeed: doublePrecision('playback_speed').notNull().default(settingDefaults.playbackSpeed),
  theme: text('theme'),
  discreetMode: boolean('discreet_mode').notNull().default(settingDefaults.discreetMode),
  hiddenCategories: text('hidden_categories').array().notNull().default(settingDefaults.hiddenCategories),
  hiddenWords: text('hidden_words').array().notNull().default(settingDefaults.hiddenWords),
  updatedAt: updatedAt('user_settings'),
})
