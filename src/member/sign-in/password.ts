import { AppError } from '#src/app-error'
import { passwordBytesMax, passwordCharactersMin } from '#src/member/rules'
import { refusedField } from '#src/shape/invalid-field'

/** OWASP's second option for argon2id: 19 MiB, two passes. 52 ms here, and 32 at once in 570 ms (measured). */
const cost = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const atOnceMax = 4
const waitingMax = 64

/** Hashes a password. Throws `invalid`, about the field `path`, for one that is too short, too long or too common. */
export async function hashPassword(password: string, path = 'password'): Promise<string> {
  if (password.length < passwordCharactersMin)
    throw refusedField(path, `String must contain at least ${passwordCharactersMin} character(s)`)
  if (Buffer.byteLength(password) > passwordBytesMax) throw refusedField(path, 'This password is too long.')
  const { commonPasswords } = await import('./common-passwords')
  if (commonPasswords.has(password.toLowerCase()))
    throw refusedField(
      path,
      'This password is one of the most common ones. Choose another; three words in a row are easy to remember.',
    )
  return inTurn(() => Bun.password.hash(password, cost))
}

/** Hashes a PIN. The form validates it; the slow hash and the few attempts protect it. */
export function hashPin(pin: string): Promise<string> {
  return inTurn(() => Bun.password.hash(pin, cost))
}

/**
 * Whether a password matches a hash. Without a hash (no such member) the same work is done, so that the response time
 * does not reveal who is registered.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  if (Buffer.byteLength(password) > passwordBytesMax) return false
  const isRight = await inTurn(async () => Bun.password.verify(password, hash ?? (await decoy())))
  return isRight && hash !== null
}

let decoyHash: Promise<string> | undefined
function decoy(): Promise<string> {
  decoyHash ??= Bun.password.hash('nobody has this password', cost)
  return decoyHash
}

let running = 0
const waiting: (() => void)[] = []

/** Runs at most four hashes at once: each needs 19 MiB, and a thread that pages need too. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnceMax) {
    if (waiting.length >= waitingMax)
      throw new AppError('unavailable', 'Too many people are signing in right now. Please try again.', {
        retryAfterSeconds: 2,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
