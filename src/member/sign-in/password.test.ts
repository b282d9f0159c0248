import { afterAll, beforeAll, expect, test } from 'bun:test'
import { AppError } from '#src/app-error'
import { commonPasswords } from '#src/member/sign-in/common-passwords'
import { hashPassword, hashPin, isPassword } from '#src/member/sign-in/password'
import { hashAtLeastCost, hashAtStatedCost } from '#src/testing/cheap-passwords'
import { rejectionOf } from '#src/testing/rejection'

beforeAll(hashAtStatedCost)
afterAll(hashAtLeastCost)

const password = 'lanterns on the water'

test('a password and a PIN are hashed by argon2id with 19 MiB and two passes', async () => {
  const stated = '$argon2id$v=19$m=19456,t=2,p=1$'
  expect(await hashPassword(password)).toStartWith(stated)
  expect(await hashPin('2468')).toStartWith(stated)
})

test('a password matches its own salted hash, and another password does not', async () => {
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)])
  expect(one).not.toBe(other)
  expect(await isPassword(password, one)).toBe(true)
  expect(await isPassword('not this one', one)).toBe(false)
})

test('no password matches an account without one, not even the decoy’s', async () => {
  expect(await isPassword(password, null)).toBe(false)
  expect(await isPassword('nobody has this password', null)).toBe(false)
})

test('the thousand most common passwords are rejected', async () => {
  expect(commonPasswords.size).toBe(1_000)
  for (const common of commonPasswords)
    expect(await rejectionOf(hashPassword(common))).toBeInstanceOf(AppError)
  for (const common of ['PASSWORD', 'Dragon'])
    expect((await rejectionOf(hashPassword(common))).message).toMatch(/common/)
})

test('a password of a megabyte is rejected without hashing', async () => {
  expect((await rejectionOf(hashPassword('x'.repeat(1_000_000)))).message).toMatch(/too long/)
  expect(await isPassword('x'.repeat(1_000_000), '$argon2id$v=19$nothing')).toBe(false)
})

test('only 68 of 90 concurrent checks are served; the others are told to retry', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 90 }, () => isPassword(password, null)))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(90 - 4 - 64)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
  // The queue is empty again.
  expect(await isPassword(password, null)).toBe(false)
})

test('a failed hash frees its place for the next', async () => {
  const broken = Array.from({ length: 8 }, () => isPassword(password, 'no hash at all'))
  expect((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await isPassword(password, await hashPassword(password))).toBe(true)
})
