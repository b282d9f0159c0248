import { expect, test } from 'bun:test'
import { commonPasswords } from '#src/member/common-passwords'
import { hashPassword, isPassword } from '#src/member/password'
import { Refusal } from '#src/refusal'

const password = 'lanterns on the water'

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
  for (const common of commonPasswords) await expect(hashPassword(common)).rejects.toBeInstanceOf(Refusal)
  for (const common of ['PASSWORD', 'Dragon']) await expect(hashPassword(common)).rejects.toThrow(/common/)
})

test('a password of a megabyte is refused without work', async () => {
  await expect(hashPassword('x'.repeat(1_000_000))).rejects.toThrow(/too long/)
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
