import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '../columns'
import { users } from './member'

/** Links in mails, each good for one use. `tokenHash` is the SHA-256 of the link's token. */
export const mailTokens = pgTable(
  'mail_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['reset', 'verify', 'email'] }).notNull(),
    /** The address that the mail was sent to, and that the link proves. */
    email: text('email').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('mail_tokens_user').on(t.userId), index('mail_tokens_expires').on(t.expiresAt)],
)

/**
 * Accounts of other providers that open an account here. A person is identified by the provider's subject, never by
 * email.
 */
export const identities = pgTable(
  'identities',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: ['google', 'apple', 'facebook'] }).notNull(),
    subject: text('subject').notNull(),
    email: text('email'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('identities_subject').on(t.provider, t.subject),
    unique('identities_user').on(t.userId, t.provider),
  ],
)

/** Passkeys of members: the public key only. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull().default([]),
    /** Whether the passkey is synced between devices (WebAuthn's backup state). */
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/**
 * Browsers that signed in to an account before: strangers' guesses never slow them down. `tokenHash` is the SHA-256
 * of the browser's cookie, the same for every member who signed in on it.
 */
export const rememberedDevices = pgTable(
  'remembered_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.tokenHash] }),
    index('remembered_devices_token').on(t.tokenHash),
    index('remembered_devices_used').on(t.lastUsedAt),
  ],
)

/**
 * Challenges of sign-ins that were begun at a provider or with a passkey: the values that their answers have to
 * match. The browser's cookie holds the token; each is used once.
 */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind', { enum: ['google', 'apple', 'facebook', 'passkey', 'new-passkey', 'age'] }).notNull(),
    /** The member who adds a sign-in method to an account; null for a sign-in. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    secret: jsonb('secret').$type<Record<string, string>>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('sign_in_attempts_user').on(t.userId), index('sign_in_attempts_expires').on(t.expiresAt)],
)
