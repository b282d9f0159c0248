import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { users } from '#db/schema'
import { Refusal } from '#src/refusal'
import { countAttempt, forgetAttempts } from '#src/throttle'
import { hashPin, isPassword } from './password'
import { pinDigits } from './rules'

const form = new RegExp(`^\\d{${pinDigits.min},${pinDigits.max}}$`)

/** Asks for a PIN on opening from now on. Throws `invalid` for what is not four to eight digits. */
export async function setPin(db: Executor, memberId: string, pin: string): Promise<void> {
  if (!form.test(pin)) {
    const message = `A PIN is ${pinDigits.min} to ${pinDigits.max} digits.`
    throw new Refusal('invalid', message, { fields: [{ path: 'pin', message }] })
  }
  await db
    .update(users)
    .set({ pinHash: await hashPin(pin) })
    .where(eq(users.id, memberId))
}

export async function removePin(db: Executor, memberId: string): Promise<void> {
  await db.update(users).set({ pinHash: null }).where(eq(users.id, memberId))
}

/** Throws `wrong_credentials` for another PIN, and `throttled` after five of them: four digits are soon guessed. */
export async function requirePin(db: Executor, memberId: string, pin: string): Promise<void> {
  const message = 'Too many wrong PINs. Wait a little, or sign in with your password.'
  const limits = [{ key: `pin:${memberId}`, max: 5, windowSeconds: 15 * 60, message }]
  await countAttempt(db, limits)
  const [row] = await db.select({ pinHash: users.pinHash }).from(users).where(eq(users.id, memberId))
  if (!(await isPassword(pin, row?.pinHash ?? null)))
    throw new Refusal('wrong_credentials', 'Not that one. Try again, or sign in with your password.')
  await forgetAttempts(db, limits)
}
