import { describe, expect, test } from 'bun:test'
import { callFor, confirmed, pressed, rolledBack, savedMark, sending } from './favorite-mark'

describe('a heart', () => {
  test('is shown at once and sent to the server', () => {
    const mark = pressed(savedMark(false))
    expect(mark.isShown).toBe(true)
    expect(callFor(mark)).toBe('add')
    expect(callFor(pressed(savedMark(true)))).toBe('remove')
  })

  test('that was sent needs no further call', () => {
    const mark = confirmed(sending(pressed(savedMark(false))), 'add')
    expect(mark).toEqual(savedMark(true))
    expect(callFor(mark)).toBeNull()
  })

  test('goes back to what the server has when the call fails', () => {
    expect(rolledBack(sending(pressed(savedMark(false))))).toEqual(savedMark(false))
    expect(rolledBack(sending(pressed(savedMark(true))))).toEqual(savedMark(true))
  })

  test('pressed twice while a call is under way waits for it, then asks for the other', () => {
    const underWay = sending(pressed(savedMark(false)))
    const again = pressed(underWay)
    expect(callFor(again)).toBeNull()
    expect(callFor(confirmed(again, 'add'))).toBe('remove')
  })

  test('pressed three times needs one call alone', () => {
    const mark = pressed(pressed(sending(pressed(savedMark(false)))))
    expect(callFor(confirmed(mark, 'add'))).toBeNull()
  })
})
