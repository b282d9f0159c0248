import { describe, expect, test } from 'bun:test'
import type { DevicePosition, ProgressWithPlaces } from '#src/listening/schema'
import { offeredPlaces } from './place-offer'

const phone: DevicePosition = {
  deviceId: 'p',
  device: 'phone',
  positionSec: 724,
  totalSec: 764,
  updatedAt: '2026-11-21T07:52:00.000Z',
}
const here: DevicePosition = {
  ...phone,
  deviceId: 'h',
  device: 'computer',
  positionSec: 190,
  updatedAt: '2026-11-20T20:00:00.000Z',
}
const progress = (...places: DevicePosition[]): ProgressWithPlaces => ({
  contentId: 'a',
  contentType: 'story',
  lastPositionSec: 724,
  totalSec: 764,
  completed: false,
  lastUpdatedAt: phone.updatedAt,
  version: 'p/1',
  places,
})
const offered = (...places: DevicePosition[]) =>
  offeredPlaces(progress(...places), 'h', 764).map(({ seconds, where }) => `${seconds} ${where}`)

describe('two devices', () => {
  test('that disagree are both offered, the later word first', () => {
    expect(offered(phone, here)).toEqual(['724 on the phone', '190 here'])
    expect(offered({ ...phone, positionSec: 20 }, here)).toEqual(['20 on the phone', '190 here'])
  })

  test('that agree within a skip are one place', () => {
    expect(offered({ ...phone, positionSec: 200 }, here)).toEqual([])
  })

  test('are not offered again once this one has spoken after the other', () => {
    expect(offered({ ...here, updatedAt: '2026-11-21T08:00:00.000Z' }, phone)).toEqual([])
  })

  test('are one where only one of them knows the item', () => {
    expect(offered(phone)).toEqual([])
    expect(offered(here)).toEqual([])
    expect(offeredPlaces(null, 'h', 764)).toEqual([])
  })

  test('of a kind are distinguished, and a device without a word is another device', () => {
    expect(offered({ ...phone, device: 'computer' }, here)[0]).toBe('724 on another computer')
    expect(offered({ ...phone, device: null }, here)[0]).toBe('724 on another device')
  })

  test('of which one has finished offer the place of the other', () => {
    expect(offered({ ...phone, positionSec: 763 }, here)).toEqual(['190 here'])
  })

  test('of which one was reading speak of the same seconds', () => {
    expect(offered({ ...phone, positionSec: 120, totalSec: 240 }, here)[0]).toBe('382 on the phone')
  })
})
