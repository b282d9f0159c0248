import { expect, test } from 'bun:test'
import { clearPermissions, findPermission, startPermission } from './audio-permissions'

const file = { hash: 'a'.repeat(64), extension: 'mp3' } as const

test('a permission is cached once it is checked', () => {
  startPermission('an address')(file)
  expect(findPermission('an address')).toEqual(file)
})

test('a permission that was checked before everything was cleared is not cached afterwards', () => {
  const cachePermission = startPermission('another address')
  clearPermissions()
  cachePermission(file)
  expect(findPermission('another address')).toBeNull()
})
