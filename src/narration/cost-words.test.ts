import { expect, test } from 'bun:test'
import { costWords, providerAndCostWords } from './cost-words'

test('a cost is shown as free, less than a cent, or about an amount', () => {
  expect([0, 0.004, 0.074].map(costWords)).toEqual(['free', 'less than $0.01', 'about $0.07'])
  expect(providerAndCostWords({ provider: 'built-in', costUsd: 0 })).toBe('the built-in voice ·\u00a0free')
})
