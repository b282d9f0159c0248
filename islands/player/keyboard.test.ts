import { expect, test } from 'bun:test'
import { commandOfKey } from './keyboard'

test('Space and K toggle playback, the arrows skip 15 seconds, U undoes a jump, and other keys do nothing', () => {
  expect(commandOfKey(' ')).toEqual({ type: 'toggle' })
  expect(commandOfKey('k')).toEqual({ type: 'toggle' })
  expect(commandOfKey('ArrowLeft')).toEqual({ type: 'skip', seconds: -15 })
  expect(commandOfKey('ArrowRight')).toEqual({ type: 'skip', seconds: 15 })
  expect(commandOfKey('u')).toEqual({ type: 'undo' })
  expect(commandOfKey('j')).toBeNull()
  expect(commandOfKey('ArrowUp')).toBeNull()
})
