import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from '../columns'
import { users } from './member'

/** Links in mails, each valid for one use. `tokenHash` is the SHA-256 of the link's token. */
export const mailTokens = pgTable(
  'mail_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['reset', 'verify', 'email'] }).notNull(),
    /** The address that the mail was sent to, which the link proves. */
    email: text('email').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('mail_tokens_user').on(t.userId), index('mail_tokens_expires').on(t.expiresAt)],
)

/**
 * Accounts at other providers with which a member signs in. A person is identified by the provider's subject, never by
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
    /** A COSE key in base64url. */
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
 * Browsers that have signed in to an account before. They are not slowed down by strangers' guesses. `tokenHash` is the
 * SHA-256 of the browser's cookie, the same for every member who has signed in on it.
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
 * Challenges of sign-ins that were started at a provider or with a passkey: the values that the response has to match.
 * The browser's cookie contains the token. Each is used once.
 */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind', { enum: ['google', 'apple', 'facebook', 'passkey', 'new-passkey', 'age'] }).notNull(),
    /** The member who is adding a sign-in method to their account; null for a sign-in. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    secret: jsonb('secret').$type<Record<string, string>>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('sign_in_attempts_user').on(t.userId), index('sign_in_attempts_expires').on(t.expiresAt)],
)
