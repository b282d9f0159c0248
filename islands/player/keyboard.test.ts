import { expect, test } from 'bun:test'
import { commandOfKey } from './keyboard'

test('space and k play and pause, the arrows skip fifteen seconds, u takes a jump back, all else is left alone', () => {
  expect(commandOfKey(' ')).toEqual({ type: 'toggle' })
  expect(commandOfKey('k')).toEqual({ type: 'toggle' })
  expect(commandOfKey('ArrowLeft')).toEqual({ type: 'skip', seconds: -15 })
  expect(commandOfKey('ArrowRight')).toEqual({ type: 'skip', seconds: 15 })
  expect(commandOfKey('u')).toEqual({ type: 'undo' })
  expect(commandOfKey('j')).toBeNull()
  expect(commandOfKey('ArrowUp')).toBeNull()
})
