import { bigint, boolean, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../columns'
import { users } from './member'

/** What a link in a mail opens, once. `tokenHash` is the SHA-256 of what the link holds. */
export const mailTokens = pgTable(
  'mail_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['reset', 'verify', 'email'] }).notNull(),
    /** Where the mail went: this address is what the link proves. */
    email: text('email').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('mail_tokens_user').on(t.userId), index('mail_tokens_expires').on(t.expiresAt)],
)

/** Accounts elsewhere that open an account here. A provider knows a person by the subject, never by the e-mail. */
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

/** Passkeys of members: the public half, which opens nothing. */
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
    /** Kept in more than one place by its maker. */
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/** A way in that was begun: what the answer has to match. The browser's cookie holds the token; used once. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind', { enum: ['google', 'apple', 'facebook', 'passkey', 'new-passkey', 'age'] }).notNull(),
    /** Who adds a way in to an account; null where one signs in. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    secret: jsonb('secret').$type<Record<string, string>>().notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('sign_in_attempts_user').on(t.userId), index('sign_in_attempts_expires').on(t.expiresAt)],
)
