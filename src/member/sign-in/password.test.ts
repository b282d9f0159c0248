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

test('a password belongs to its hash and to no other', async () => {
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)])
  expect(one).not.toBe(other)
  expect(await isPassword(password, one)).toBe(true)
  expect(await isPassword('not this one', one)).toBe(false)
})

test('nobody’s password is never right, not even that of the decoy', async () => {
  expect(await isPassword(password, null)).toBe(false)
  expect(await isPassword('nobody has this password', null)).toBe(false)
})

test('none of the thousand commonest passwords is taken', async () => {
  for (const common of commonPasswords)
    expect(await rejectionOf(hashPassword(common))).toBeInstanceOf(AppError)
  for (const common of ['PASSWORD', 'Dragon'])
    expect((await rejectionOf(hashPassword(common))).message).toMatch(/common/)
})

test('a password of a megabyte is refused without work', async () => {
  expect((await rejectionOf(hashPassword('x'.repeat(1_000_000)))).message).toMatch(/too long/)
  expect(await isPassword('x'.repeat(1_000_000), '$argon2id$v=19$nothing')).toBe(false)
})

test('of ninety at once sixty-eight are served, and the others asked to come back', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 90 }, () => isPassword(password, null)))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(90 - 4 - 64)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
  // The queue is empty again.
  expect(await isPassword(password, null)).toBe(false)
})

test('a hash that fails makes room for the next', async () => {
  const broken = Array.from({ length: 8 }, () => isPassword(password, 'no hash at all'))
  expect((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await isPassword(password, await hashPassword(password))).toBe(true)
})
