import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { describeOnTimeout, until } from './until'

afterEach(() => void setSystemTime())

test('until returns the first truthy result', async () => {
  let reads = 0
  expect(await until(() => ++reads === 3 && 'the lamp is lit')).toBe('the lamp is lit')
  expect(reads).toBe(3)
})

test('until times out with what it waited for and the described state', async () => {
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
