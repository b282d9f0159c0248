import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../columns'

/** Email addresses that asked for early access. */
export const betaSignups = pgTable(
  'beta_signups',
  {
    id: id(),
    email: text('email').notNull().unique(),
    source: text('source').notNull().default('upgrade_box'),
    createdAt: createdAt(),
  },
  (t) => [index('beta_signups_created').on(t.createdAt, t.id)],
)
