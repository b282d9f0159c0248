import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { pinDigits } from '#src/member/rules'
import { hashPin, isPassword } from '#src/member/sign-in/password'
import { rateLimitGuess } from '#src/security/rate-limit'
import { refusedField } from '#src/shape/invalid-field'

const form = new RegExp(`^\\d{${pinDigits.min},${pinDigits.max}}$`)

/** Sets a PIN, which the site asks for when it is opened. Throws `invalid` unless it has four to eight digits. */
export async function setPin(db: Executor, memberId: string, pin: string): Promise<void> {
  if (!form.test(pin)) throw refusedField('pin', `A PIN is ${pinDigits.min} to ${pinDigits.max} digits.`)
  await db
    .update(users)
    .set({ pinHash: await hashPin(pin) })
    .where(eq(users.id, memberId))
}

export async function removePin(db: Executor, memberId: string): Promise<void> {
  await db.update(users).set({ pinHash: null }).where(eq(users.id, memberId))
}

/**
 * Throws `wrong_credentials` for a wrong PIN, and `throttled` after five of them, since four digits are quickly
 * guessed.
 */
export async function requirePin(db: Executor, memberId: string, pin: string): Promise<void> {
  const message = 'Too many wrong PINs. Wait a moment, or sign in with your password.'
  const limits = [{ key: `pin:${memberId}`, max: 5, windowSeconds: 15 * 60, message }]
  await rateLimitGuess(db, limits, async () => {
    const [row] = await db.select({ pinHash: users.pinHash }).from(users).where(eq(users.id, memberId))
    if (!(await isPassword(pin, row?.pinHash ?? null)))
      throw new AppError('wrong_credentials', 'Wrong PIN. Try again, or sign in with your password.')
  })
}
