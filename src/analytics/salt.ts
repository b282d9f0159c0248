import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { keyedHash } from '#src/security/keyed-hash'
import { saltHours } from './rules'

const salts = new WeakMap<Database, { day: string; salt: Promise<string> }>()

/** Hashes an address with today's salt. Once the salt is destroyed, the hash cannot be reversed. */
export async function hashForToday(db: Database, text: string): Promise<string> {
  return keyedHash(await saltOf(db, new Date().toISOString().slice(0, 10)), 'analytics', text)
}

/** The salt of a day, which all servers share. It is read once a day. */
function saltOf(db: Database, day: string): Promise<string> {
  const known = salts.get(db)
  if (known?.day === day) return known.salt
  const salt = makeSalt(db, day)
  salts.set(db, { day, salt })
  salt.catch(() => salts.delete(db))
  return salt
}

async function makeSalt(db: Database, day: string): Promise<string> {
  const [row] = await db.execute<{ salt: string }>(sql`
    insert into analytics_salts (day, salt) values (${day}::date, ${randomBytes(32).toString('base64url')})
    on conflict (day) do update set salt = analytics_salts.salt returning salt`)
  if (!row) throw new Error('The write answered no row.')
  return row.salt
}

/** Destroys the salts that are 48 hours old. */
export async function destroySalts(db: Database): Promise<void> {
  await db.execute(
    sql`delete from analytics_salts where created_at < now() - make_interval(hours => ${saltHours})`,
  )
}
