import { expect, test } from 'bun:test'
import { seal, UnsealError, unseal } from './encryption'

const secret = 'e'.repeat(43)
const place = { table: 'model_config', row: '1', column: 'openai_api_key' }

test('a sealed text opens in its own place, and has a different ciphertext each time', () => {
  for (const text of ['sk-canary', '', 'ключ 🔑', 'x'.repeat(10_000)]) {
    const sealed = seal(secret, place, text)
    expect(unseal(secret, place, sealed)).toBe(text)
    expect(seal(secret, place, text)).not.toBe(sealed)
    if (text) expect(sealed).not.toContain(text)
  }
})

test('unsealing fails in another place, with another key and after tampering', () => {
  const sealed = seal(secret, place, 'sk-canary')
  for (const other of [
    { ...place, row: '2' },
    { ...place, column: 'runpod_api_key' },
    { ...place, table: 'users' },
  ])
    expect(() => unseal(secret, other, sealed)).toThrow(UnsealError)
  expect(() => unseal('f'.repeat(43), place, sealed)).toThrow('another ENCRYPTION_KEY')
  const changed = sealed.slice(0, -5) + (sealed.at(-5) === 'A' ? 'B' : 'A') + sealed.slice(-4)
  for (const broken of [changed, '', 'v1', 'v2.a.b.c', sealed.slice(0, -10)])
    expect(() => unseal(secret, place, broken)).toThrow(UnsealError)
})
