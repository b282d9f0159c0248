import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { describeOnTimeout, until } from './until'

afterEach(() => void setSystemTime())

test('a wait answers with the first result that is truthy', async () => {
  let reads = 0
  expect(await until(() => ++reads === 3 && 'the lamp is lit')).toBe('the lamp is lit')
  expect(reads).toBe(3)
})

test('a wait in vain says what it waited for, and what the state of things is then', async () => {
  let state = ''
  describeOnTimeout(() => state)
  state = 'The lamp is out.'
  const isLampLit = () => {
    setSystemTime(Date.now() + 200_000)
    return false
  }
  const error = await until(isLampLit).catch(String)
  expect(error).toStartWith('Error: Waited for 180 s in vain for ')
  expect(error).toContain('setSystemTime')
  expect(error).toContain('\n\nThe lamp is out.')
  state = ''
})
