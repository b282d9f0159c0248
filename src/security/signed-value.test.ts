import { expect, test } from 'bun:test'
import { signValue, unsignValue } from '#src/security/signed-value'

test('a signature is valid for one secret, one cookie and one value only', () => {
  const signed = signValue('secret', 'purpose', 'value')
  expect(unsignValue('secret', 'purpose', signed)).toBe('value')
  expect(unsignValue('Secret', 'purpose', signed)).toBeNull()
  expect(unsignValue('secret', 'Purpose', signed)).toBeNull()
  expect(unsignValue('secret', 'purpose', signed.replace('value', 'Value'))).toBeNull()
  expect(unsignValue('secret', 'purpose', null)).toBeNull()
})
