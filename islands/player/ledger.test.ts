import { describe, expect, test } from 'bun:test'
import { afterReport, isDue, openLedger, reasonToLeave, reasonToSend, shouldReport } from './ledger'

describe('the report of a playback', () => {
  test('at most every ten seconds of it', () => {
    const ledger = { ...openLedger(0, { isStartKnown: true }), listeningSinceMs: 1_000 }
    expect(isDue(ledger, 10_999)).toBe(false)
    expect(isDue(ledger, 11_000)).toBe(true)
    expect(isDue(afterReport(ledger, 10, 11_000), 20_000)).toBe(false)
  })

  test('nothing by time while it is silent', () => {
    expect(isDue(openLedger(0, { isStartKnown: true }), 1e9)).toBe(false)
    expect(afterReport(openLedger(0, { isStartKnown: true }), 5, 1_000).listeningSinceMs).toBeNull()
  })

  test('a paused tab that did not move writes nothing, whenever it is closed', () => {
    const ledger = afterReport(openLedger(0, { isStartKnown: true }), 184, 1_000)
    expect(shouldReport(ledger, 184, 'close')).toBe(false)
    expect(shouldReport(ledger, 184.3, 'close')).toBe(false)
    expect(shouldReport(ledger, 190, 'close')).toBe(true)
    expect(shouldReport(ledger, 20, 'close')).toBe(true)
  })

  test('opening at the saved position is no news', () => {
    expect(shouldReport(openLedger(724, { isStartKnown: true }), 724, null)).toBe(false)
  })

  test('nothing during a seek', () => {
    for (const seeking of ['drag', 'jump'] as const)
      expect(shouldReport({ ...openLedger(0, { isStartKnown: true }), seeking }, 300, 'pause')).toBe(false)
  })

  test('a chosen position of who leaves before its sound has come, not where a drag has got to', () => {
    const leave = (seeking: 'drag' | 'jump') => {
      const ledger = { ...openLedger(0, { isStartKnown: true }), seeking }
      return shouldReport(ledger, 300, reasonToLeave(ledger))
    }
    expect([leave('jump'), leave('drag')]).toEqual([true, false])
  })

  test('where the saved position could not be read, only a seek or an end may move it back', () => {
    const blind = openLedger(0, { isStartKnown: false })
    expect(reasonToSend(blind, null)).toBe('play')
    expect(reasonToSend(blind, 'pause')).toBe('play')
    expect(reasonToSend(blind, 'close')).toBe('play')
    expect(reasonToSend(blind, 'seek')).toBe('seek')
    expect(reasonToSend(blind, 'end')).toBe('end')
    expect(reasonToSend(openLedger(0, { isStartKnown: true }), null)).toBeNull()
    expect(reasonToSend(openLedger(0, { isStartKnown: true }), 'pause')).toBe('pause')
  })
})
