import { describe, expect, test } from 'bun:test'
import { callFor, confirmed, pressed, rolledBack, savedMark, sending } from './favorite-mark'

describe('favourite button', () => {
  test('shows the new state at once and sends it to the server', () => {
    const mark = pressed(savedMark(false))
    expect(mark.isShown).toBe(true)
    expect(callFor(mark)).toBe('add')
    expect(callFor(pressed(savedMark(true)))).toBe('remove')
  })

  test('needs no further call after the server has confirmed', () => {
    const mark = confirmed(sending(pressed(savedMark(false))), 'add')
    expect(mark).toEqual(savedMark(true))
    expect(callFor(mark)).toBeNull()
  })

  test('is rolled back to the server’s state when the call fails', () => {
    expect(rolledBack(sending(pressed(savedMark(false))))).toEqual(savedMark(false))
    expect(rolledBack(sending(pressed(savedMark(true))))).toEqual(savedMark(true))
  })

  test('sends the opposite call after the pending one when pressed again', () => {
    const underWay = sending(pressed(savedMark(false)))
    const again = pressed(underWay)
    expect(callFor(again)).toBeNull()
    expect(callFor(confirmed(again, 'add'))).toBe('remove')
  })

  test('needs no second call when pressed three times', () => {
    const mark = pressed(pressed(sending(pressed(savedMark(false)))))
    expect(callFor(confirmed(mark, 'add'))).toBeNull()
  })
})
