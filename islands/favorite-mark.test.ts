import { describe, expect, test } from 'bun:test'
import { callFor, keptMark, pressed, rolledBack, sending, settled } from './favorite-mark'

describe('a heart', () => {
  test('is shown at once and told to the server', () => {
    const mark = pressed(keptMark(false))
    expect(mark.isShown).toBe(true)
    expect(callFor(mark)).toBe('add')
    expect(callFor(pressed(keptMark(true)))).toBe('remove')
  })

  test('that is told needs no further call', () => {
    const mark = settled(sending(pressed(keptMark(false))), 'add')
    expect(mark).toEqual(keptMark(true))
    expect(callFor(mark)).toBeNull()
  })

  test('goes back to what the server has when the call fails', () => {
    expect(rolledBack(sending(pressed(keptMark(false))))).toEqual(keptMark(false))
    expect(rolledBack(sending(pressed(keptMark(true))))).toEqual(keptMark(true))
  })

  test('pressed twice while a call is under way waits for it, then asks for the other', () => {
    const underWay = sending(pressed(keptMark(false)))
    const again = pressed(underWay)
    expect(callFor(again)).toBeNull()
    expect(callFor(settled(again, 'add'))).toBe('remove')
  })

  test('pressed three times needs one call alone', () => {
    const mark = pressed(pressed(sending(pressed(keptMark(false)))))
    expect(callFor(settled(mark, 'add'))).toBeNull()
  })
})
