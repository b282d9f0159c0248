import { expect, test } from 'bun:test'
import { signValue, unsignValue } from '#src/security/signed-value'

test('a signature belongs to one secret, one cookie and one value', () => {
  const signed = signValue('secret', 'purpose', 'value')
  expect(unsignValue('secret', 'purpose', signed)).toBe('value')
  expect(unsignValue('Secret', 'purpose', signed)).toBeNull()
  expect(unsignValue('secret', 'Purpose', signed)).toBeNull()
  expect(unsignValue('secret', 'purpose', signed.replace('value', 'Value'))).toBeNull()
  expect(unsignValue('secret', 'purpose', null)).toBeNull()
})
