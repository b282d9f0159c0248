import { describe, expect, test } from 'bun:test'
import { afterReport, isDue, openLedger, reasonToLeave, reasonToSend, shouldReport } from './ledger'

describe('playback progress report', () => {
  test('is due after ten seconds of playback', () => {
    const ledger = { ...openLedger(0, { isStartKnown: true }), listeningSinceMs: 1_000 }
    expect(isDue(ledger, 10_999)).toBe(false)
    expect(isDue(ledger, 11_000)).toBe(true)
    expect(isDue(afterReport(ledger, 10, 11_000), 20_000)).toBe(false)
  })

  test('is never due while playback is paused', () => {
    expect(isDue(openLedger(0, { isStartKnown: true }), 1e9)).toBe(false)
    expect(afterReport(openLedger(0, { isStartKnown: true }), 5, 1_000).listeningSinceMs).toBeNull()
  })

  test('is not sent when a paused tab that did not move is closed', () => {
    const ledger = afterReport(openLedger(0, { isStartKnown: true }), 184, 1_000)
    expect(shouldReport(ledger, 184, 'close')).toBe(false)
    expect(shouldReport(ledger, 184.3, 'close')).toBe(false)
    expect(shouldReport(ledger, 190, 'close')).toBe(true)
    expect(shouldReport(ledger, 20, 'close')).toBe(true)
  })

  test('is not sent when playback opens at the saved position', () => {
    expect(shouldReport(openLedger(724, { isStartKnown: true }), 724, null)).toBe(false)
  })

  test('is not sent during a seek', () => {
    for (const seeking of ['drag', 'jump'] as const)
      expect(shouldReport({ ...openLedger(0, { isStartKnown: true }), seeking }, 300, 'pause')).toBe(false)
  })

  test('is sent on leaving at a position that was jumped to, but not in the middle of a drag', () => {
    const leave = (seeking: 'drag' | 'jump') => {
      const ledger = { ...openLedger(0, { isStartKnown: true }), seeking }
      return shouldReport(ledger, 300, reasonToLeave(ledger))
    }
    expect([leave('jump'), leave('drag')]).toEqual([true, false])
  })

  test('moves an unknown saved position back only after a seek or at the end', () => {
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
